import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rankOfRow } from '#lib/table/search/document.ts';
import { foldWord, parseSearch, wordsOfName } from '#lib/values/search-words.ts';

/* Part 5, 5B.1, 1 to 3. */

const FIELDS = {
  search: [
    { field: 'name', as: 'name' },
    { field: 'code', as: 'code' },
    { field: 'phone', as: 'phone' },
    { field: 'external_id', as: 'external' },
  ],
  indexes: [],
} as const;

function rank(row: object, text: string) {
  return rankOfRow(FIELDS, { ...row }, parseSearch(text));
}

const finds = (name: string, text: string) => rank({ name }, text) !== undefined;

test.each([
  ['қоқ', ['kok']],
  ['ҳажХ'.toLowerCase(), ['hajh']],
  ["g'isht", ['gisht']],
  ['ғишт', ['gisht']],
  ['шчщ', ['shchsh']],
  ['юя', ['yuya']],
  ['объект', ['obekt']],
  ['мышь', ['mish']],
  ['эй', ['ey']],
  ['ўн', ['on', 'un']],
  ["o'n", ['on', 'un']],
  ['ёлка', ['elka', 'yolka']],
  ['елена', ['elena', 'yelena']],
  ['зелен', ['zelen']],
  ['цех', ['tseh', 'seh']],
  ['qax', ['kah']],
])('%s is folded to %j (Part 5, 5B.1 (2))', (word, readings) => {
  expect(foldWord(word)).toEqual(readings);
});

test('no sign is read as letters (Part 5, 5B.1 (1))', () => {
  const letterlike = Array.from({ length: 0x50 }, (_, index) => String.fromCodePoint(0x2100 + index));
  const signs = letterlike.filter((sign) => /\p{S}/u.test(sign));
  expect(signs).toContain('№');
  for (const sign of signs) {
    const [word, ...others] = wordsOfName(`${sign}95`);
    expect([sign, word?.readings, others]).toEqual([sign, ['95'], []]);
  }
});

test.each([
  ['Choy, ko‘k', 'кук чой'],
  ['Choy, ko‘k', "choy ko'k"],
  ['Choy, ko‘k', 'Чой кўк'],
  ['Чой кўк', 'kok choy'],
  ['Ёлка', 'елка'],
  ['Елка', 'ёлка'],
  ['Coca-Cola 1.5l', 'coca-cola'],
  ['Coca-Cola 1.5l', 'cola 1.5'],
  ['Coca-Cola 1.5l', 'cocacola'],
  ['Coca-Cola 1.5l', '5l'],
  ['Центр', 'sentr'],
  ['Центр', 'tsentr'],
  ['Объект', "ob'ekt"],
  ['\u00a0Ｗater\u200b ', 'WAT'],
  ['Бензин №95', '95'],
  ['Бензин №95', '№ 95 бензин'],
  ['Бензин № 95', '№95'],
  ['Чой 5㎏', '5kg'],
  ['Coca™Cola', 'cola'],
  ['Coca-Cola™', 'coca-cola™'],
])('%s is found by %s (Part 5, 5B.1 (1), (2))', (name, text) => {
  expect(finds(name, text)).toBe(true);
});

test.each([
  ['Choy, ko‘k', 'oy'],
  ['Choy, ko‘k', 'choy qora'],
  ['Coca-Cola', 'colacoca'],
])('%s is not found by %s: each word is the beginning of a word (Part 5, 5B.1 (1))', (name, text) => {
  expect(finds(name, text)).toBe(false);
});

test('the words of a name are those between blanks, and their parts between signs (Part 5, 5B.1 (1))', () => {
  expect(wordsOfName('Coca-Cola, light')).toEqual([
    { readings: ['cocacola'], position: 0, order: 'whole' },
    { readings: ['coca'], position: 0, order: 'part' },
    { readings: ['cola'], position: 1, order: 'part' },
    { readings: ['light'], position: 1, order: 'whole' },
    { readings: ['light'], position: 2, order: 'part' },
  ]);
});

test('a code is one word, and so is a search of digits, blanks and +-() (Part 5, 5B.1 (1))', () => {
  expect(rank({ code: 'A-42' }, 'a4')).toBe(3);
  expect(rank({ code: 'A-42' }, '42')).toBeUndefined();
  expect(rank({ code: '4780000000017' }, '478 000 00')).toBe(3);
  expect(parseSearch('+998 (90) 111-22-33').words).toMatchObject([{ readings: ['998901112233'] }]);
});

test('a whole barcode is found with any number of leading zeros (Contract 9.127)', () => {
  for (const text of ['036000291452', '0036000291452', '00036000291452'])
    expect(rank({ code: '036000291452' }, text), text).toBe(0);
});

test('phones are digits, with or without 998 (Part 5, 5B.1 (2))', () => {
  for (const text of ['90 111', '998 90 111-22', '+998901112233', '(90) 111'])
    expect(rank({ phone: '998901112233' }, text), text).toBeDefined();
  expect(rank({ phone: '998901112233' }, '111')).toBeUndefined();
});

test('a whole external id finds its record, to the letter (Part 5, 5B.1 (1))', () => {
  expect(rank({ external_id: '1C-Ab' }, '1C-Ab')).toBe(0);
  for (const text of ['1c-ab', '1C']) expect(rank({ external_id: '1C-Ab' }, text)).toBeUndefined();
});

test('the order is: code equal, begins so, first word, the rest (Part 5, 5B.1 (3))', () => {
  expect(rank({ code: '478', name: 'x' }, '478')).toBe(0);
  expect(rank({ code: '478', name: 'x' }, '478 x')).toBe(3);
  expect(rank({ name: 'Choy qora 100' }, 'чой кор')).toBe(1);
  expect(rank({ name: 'Coca-Cola light' }, 'coca cola')).toBe(1);
  expect(rank({ name: 'Coca-Cola light' }, 'coca-cola li')).toBe(1);
  expect(rank({ name: 'Choy qora 100' }, 'чой 100')).toBe(2);
  expect(rank({ name: 'Choy qora 100' }, 'qora choy')).toBe(3);
});

const letter = fc.constantFrom(
  ...'абвғдеёжзийкқлмнопрстуўфхҳцчшщъыьэюя',
  ...'abcdefghijklmnopqrstuvwxyz',
  "'",
  '’',
  '-',
);
const name = fc
  .array(fc.string({ unit: letter, minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 5 })
  .filter((words) => words.every((word) => /[a-zа-яўқғҳё]/.test(word)));

test('beginnings of any words of a name, in any order, find it (Part 5, 5B.1 (1))', () => {
  fc.assert(
    fc.property(name, fc.nat(), fc.nat(3), (words, seed, cut) => {
      const sought = words
        .map((word, index) => ({ word, order: (seed * (index + 7)) % 13 }))
        .sort((a, b) => a.order - b.order)
        .map(({ word }) => word.slice(0, Math.max(1, word.length - cut)));
      const text = sought.filter((word) => /[a-zа-яўқғҳё]/.test(word)).join(' ');
      // An apostrophe that is cut off its letter changes nothing, but a first letter may be all that is left.
      fc.pre(text !== '');
      expect(finds(words.join(' '), text)).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test('the whole name, in either case, begins so (Part 5, 5B.1 (3))', () => {
  fc.assert(
    fc.property(name, (words) => {
      fc.pre(words.length <= 8);
      expect(rank({ name: words.join('  ') }, words.join(' ').toUpperCase())).toBeLessThanOrEqual(1);
    }),
  );
});
