/* Words of the page in three languages. Labels of reasons and the like (`labelsOf`) are the service's own. */

export const LANGUAGES = { oz: 'O‘zb', uz: 'Ўзб', ru: 'Рус' } as const;

const WORDS = {
  demo: ['Со сменами: branch-cashier', 'Сменалар билан: branch-cashier', 'Smenalar bilan: branch-cashier'],
  username: ['Логин', 'Логин', 'Login'],
  password: ['Пароль', 'Парол', 'Parol'],
  signIn: ['Войти', 'Кириш', 'Kirish'],
  signOut: ['Выйти', 'Чиқиш', 'Chiqish'],
  language: ['Язык', 'Тил', 'Til'],
  desk: ['Касса', 'Касса', 'Kassa'],
  stock: ['Склад', 'Омбор', 'Ombor'],
  online: ['На связи', 'Алоқа бор', 'Aloqa bor'],
  offline: ['Нет связи', 'Алоқа йўқ', 'Aloqa yo‘q'],
  waiting: ['Ждут отправки', 'Юборилмаган', 'Yuborilmagan'],
  refused: ['Отклонено', 'Рад этилган', 'Rad etilgan'],
  noNumber: ['Это не число.', 'Бу сон эмас.', 'Bu son emas.'],
  notAdded: ['Не добавлено', 'Қўшилмади', 'Qo‘shilmadi'],
  otherPage: ['Касса открыта в другом окне.', 'Касса бошқа ойнада очиқ.', 'Kassa boshqa oynada ochiq.'],
  needsNetwork: ['Для этого нужна связь.', 'Бунинг учун алоқа керак.', 'Buning uchun aloqa kerak.'],
  sell: ['Продажа', 'Савдо', 'Savdo'],
  holds: ['Резерв', 'Резерв', 'Rezerv'],
  returns: ['Возврат', 'Қайтариш', 'Qaytarish'],
  shift: ['Смена', 'Смена', 'Smena'],
  search: ['Название или штрихкод', 'Номи ёки штрих-код', 'Nomi yoki shtrix-kod'],
  nothing: ['Ничего нет', 'Ҳеч нарса йўқ', 'Hech narsa yo‘q'],
  unknown: ['Не найдено', 'Топилмади', 'Topilmadi'],
  shelf: ['На полке', 'Қолдиқ', 'Qoldiq'],
  emptyCart: ['Отсканируйте товар', 'Товарни сканерланг', 'Tovarni skanerlang'],
  toPay: ['К оплате', 'Тўловга', 'To‘lovga'],
  toHold: ['Отложить', 'Олиб қўйиш', 'Olib qo‘yish'],
  discount: ['Скидка', 'Чегирма', 'Chegirma'],
  clear: ['Очистить', 'Тозалаш', 'Tozalash'],
  quantity: ['Количество', 'Миқдор', 'Miqdor'],
  price: ['Цена', 'Нарх', 'Narx'],
  edit: ['Изменить', 'Ўзгартириш', 'O‘zgartirish'],
  save: ['Сохранить', 'Сақлаш', 'Saqlash'],
  close: ['Закрыть', 'Ёпиш', 'Yopish'],
  back: ['Назад', 'Орқага', 'Orqaga'],
  cashGiven: ['Получено наличными', 'Нақд олинди', 'Naqd olindi'],
  dollars: ['Доллары', 'Доллар', 'Dollar'],
  card: ['Карта', 'Карта', 'Karta'],
  left: ['Осталось', 'Қолди', 'Qoldi'],
  change: ['Сдача', 'Қайтим', 'Qaytim'],
  tooMuch: ['Больше суммы чека', 'Чек суммасидан кўп', 'Chek summasidan ko‘p'],
  pay: ['Оплатить', 'Тўлаш', 'To‘lash'],
  sold: ['Продано, чек', 'Сотилди, чек', 'Sotildi, chek'],
  keptOffline: ['Продано без связи', 'Алоқасиз сотилди', 'Aloqasiz sotildi'],
  print: ['Печать', 'Чоп этиш', 'Chop etish'],
  nextSale: ['Следующая продажа', 'Кейинги савдо', 'Keyingi savdo'],
  hold: ['Резерв №', 'Резерв №', 'Rezerv №'],
  forWhom: ['Для кого', 'Ким учун', 'Kim uchun'],
  sellHold: ['Продать', 'Сотиш', 'Sotish'],
  cheque: ['Чек', 'Чек', 'Chek'],
  chequeNumber: ['Номер чека', 'Чек рақами', 'Chek raqami'],
  open: ['Открыть', 'Очиш', 'Ochish'],
  reason: ['Причина', 'Сабаб', 'Sabab'],
  payOut: ['Выдать', 'Қайтариладиган пул', 'Qaytariladigan pul'],
  giveBack: ['Вернуть', 'Қайтариш', 'Qaytarish'],
  returned: ['Возврат принят', 'Қайтариб олинди', 'Qaytarib olindi'],
  noShifts: ['Смены включает директор.', 'Сменани директор ёқади.', 'Smenani direktor yoqadi.'],
  changeMoney: ['Размен в кассе', 'Кассадаги майда пул', 'Kassadagi mayda pul'],
  openShift: ['Открыть смену', 'Сменани очиш', 'Smenani ochish'],
  opened: ['Открыта', 'Очилган', 'Ochilgan'],
  cheques: ['Чеков', 'Чеклар', 'Cheklar'],
  printX: ['X-отчёт', 'X-ҳисобот', 'X-hisobot'],
  counted: ['Пересчёт и закрытие', 'Санаш ва ёпиш', 'Sanash va yopish'],
  expected: ['ожидается', 'кутилади', 'kutiladi'],
  closingAction: ['Деньги', 'Пул', 'Pul'],
  comment: ['Комментарий', 'Изоҳ', 'Izoh'],
  closeShift: ['Закрыть смену, Z-отчёт', 'Сменани ёпиш, Z-ҳисобот', 'Smenani yopish, Z-hisobot'],
  unfinished: ['Сначала закончите чек.', 'Аввал чекни тугатинг.', 'Avval chekni tugating.'],
  queue: ['Чеки на этой кассе', 'Шу кассадаги чеклар', 'Shu kassadagi cheklar'],
  tryAgain: ['Ещё раз', 'Яна уриниш', 'Yana urinish'],
} satisfies Record<string, readonly [ru: string, uz: string, oz: string]>;

let chosen: keyof typeof LANGUAGES = 'oz';

export function t(key: keyof typeof WORDS): string {
  const [ru = '', uz = '', oz = ''] = WORDS[key];
  return { ru, uz, oz }[chosen];
}

export function language(): keyof typeof LANGUAGES {
  return chosen;
}

export function setLanguage(language: string): void {
  if (language === 'ru' || language === 'uz' || language === 'oz') chosen = language;
}
