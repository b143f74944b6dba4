interface RegionOfUzbekistan {
  readonly name: string;
  /** Rural and urban districts (tuman), without that word. */
  readonly districts: readonly string[];
  /** Towns beside the districts (shahar), without that word. */
  readonly towns: readonly string[];
}

/** The twelve regions of Uzbekistan, Karakalpakstan and the capital, in Uzbek in Latin script. */
export const UZBEKISTAN: readonly RegionOfUzbekistan[] = [
  {
    name: 'Andijon viloyati',
    districts: namesIn(`
      Andijon, Asaka, Baliqchi, Bo‘ston, Buloqboshi, Izboskan, Jalaquduq, Marhamat, Oltinko‘l, Paxtaobod,
      Qo‘rg‘ontepa, Shahrixon, Ulug‘nor, Xo‘jaobod`),
    towns: namesIn('Andijon, Xonobod'),
  },
  {
    name: 'Buxoro viloyati',
    districts: namesIn(`
      Buxoro, G‘ijduvon, Jondor, Kogon, Olot, Peshku, Qorako‘l, Qorovulbozor, Romitan, Shofirkon, Vobkent`),
    towns: namesIn('Buxoro, Kogon'),
  },
  {
    name: 'Farg‘ona viloyati',
    districts: namesIn(`
      Bag‘dod, Beshariq, Buvayda, Dang‘ara, Farg‘ona, Furqat, Oltiariq, O‘zbekiston, Qo‘shtepa, Quva,
      Rishton, So‘x, Toshloq, Uchko‘prik, Yozyovon`),
    towns: namesIn('Farg‘ona, Marg‘ilon, Quvasoy, Qo‘qon'),
  },
  {
    name: 'Jizzax viloyati',
    districts: namesIn(`
      Arnasoy, Baxmal, Do‘stlik, Forish, G‘allaorol, Mirzacho‘l, Paxtakor, Sharof Rashidov, Yangiobod,
      Zafarobod, Zarbdor, Zomin`),
    towns: namesIn('Jizzax'),
  },
  {
    name: 'Namangan viloyati',
    districts: namesIn(`
      Chortoq, Chust, Davlatobod, Kosonsoy, Mingbuloq, Namangan, Norin, Pop, To‘raqo‘rg‘on, Uchqo‘rg‘on,
      Uychi, Yangi Namangan, Yangiqo‘rg‘on`),
    towns: namesIn('Namangan'),
  },
  {
    name: 'Navoiy viloyati',
    districts: namesIn('Karmana, Konimex, Navbahor, Nurota, Qiziltepa, Tomdi, Uchquduq, Xatirchi'),
    towns: namesIn('G‘ozg‘on, Navoiy, Zarafshon'),
  },
  {
    name: 'Qashqadaryo viloyati',
    districts: namesIn(`
      Chiroqchi, Dehqonobod, G‘uzor, Kasbi, Kitob, Ko‘kdala, Koson, Mirishkor, Muborak, Nishon, Qamashi,
      Qarshi, Shahrisabz, Yakkabog‘`),
    towns: namesIn('Qarshi, Shahrisabz'),
  },
  {
    name: 'Qoraqalpog‘iston Respublikasi',
    districts: namesIn(`
      Amudaryo, Beruniy, Bo‘zatov, Chimboy, Ellikqal’a, Kegeyli, Mo‘ynoq, Nukus, Qanliko‘l, Qo‘ng‘irot,
      Qorao‘zak, Shumanay, Taxiatosh, Taxtako‘pir, To‘rtko‘l, Xo‘jayli`),
    towns: namesIn('Nukus'),
  },
  {
    name: 'Samarqand viloyati',
    districts: namesIn(`
      Bulung‘ur, Ishtixon, Jomboy, Kattaqo‘rg‘on, Narpay, Nurobod, Oqdaryo, Pastdarg‘om, Paxtachi,
      Payariq, Qo‘shrabot, Samarqand, Toyloq, Urgut`),
    towns: namesIn('Kattaqo‘rg‘on, Samarqand'),
  },
  {
    name: 'Sirdaryo viloyati',
    districts: namesIn('Boyovut, Guliston, Mirzaobod, Oqoltin, Sardoba, Sayxunobod, Sirdaryo, Xovos'),
    towns: namesIn('Guliston, Shirin, Yangiyer'),
  },
  {
    name: 'Surxondaryo viloyati',
    districts: namesIn(`
      Angor, Bandixon, Boysun, Denov, Jarqo‘rg‘on, Muzrabot, Oltinsoy, Qiziriq, Qumqo‘rg‘on, Sariosiyo,
      Sherobod, Sho‘rchi, Termiz, Uzun`),
    towns: namesIn('Termiz'),
  },
  {
    name: 'Toshkent shahri',
    districts: namesIn(`
      Bektemir, Chilonzor, Mirobod, Mirzo Ulug‘bek, Olmazor, Sergeli, Shayxontohur, Uchtepa, Yakkasaroy,
      Yangihayot, Yashnobod, Yunusobod`),
    towns: [],
  },
  {
    name: 'Toshkent viloyati',
    districts: namesIn(`
      Bekobod, Bo‘ka, Bo‘stonliq, Chinoz, Ohangaron, Oqqo‘rg‘on, O‘rta Chirchiq, Parkent, Piskent, Qibray,
      Quyi Chirchiq, Toshkent, Yangiyo‘l, Yuqori Chirchiq, Zangiota`),
    towns: namesIn('Angren, Bekobod, Chirchiq, Nurafshon, Ohangaron, Olmaliq, Yangiyo‘l'),
  },
  {
    name: 'Xorazm viloyati',
    districts: namesIn(`
      Bog‘ot, Gurlan, Hazorasp, Qo‘shko‘pir, Shovot, Tuproqqal’a, Urganch, Xiva, Xonqa, Yangiariq,
      Yangibozor`),
    towns: namesIn('Urganch, Xiva'),
  },
];

function namesIn(text: string): string[] {
  return text.trim().split(/,\s+/);
}
