import { expect, test } from 'vitest';
import { translateLabel } from '#lib/values/labels/label.ts';
import { latin } from '#lib/values/latin.ts';
import { translate } from '#lib/values/message.ts';
import { catalogueOf } from '#lib/values/texts.ts';

/** The contract specifies this text, for every language. Part 1, "Shared helper methods". */
const IN_ENGLISH = 'records.type_unavailable';

/** Names of formats and groups, the same in every language. */
const NAMES = /^(?:image\.type|report\.abc|tag\.size)\./;

const inRussian = { ...catalogueOf('messages', 'ru'), ...catalogueOf('labels', 'ru') };

const inUzbek = { ...catalogueOf('messages', 'uz'), ...catalogueOf('labels', 'uz') };

const catalogues: [string, Record<string, string>, RegExp][] = [
  ['ru', inRussian, /[а-яё]/i],
  ['uz', inUzbek, /[а-яўқғҳ]/i],
];

test.each(catalogues)('every text has its %s version, in that script', (_, texts, script) => {
  expect(Object.keys(texts).sort()).toEqual(Object.keys(inRussian).sort());
  const isWord = (text: string) => /\p{Letter}/u.test(text.replaceAll(/\{\w+\}/g, ''));
  const foreign = Object.entries(texts).filter(
    ([key, text]) => key !== IN_ENGLISH && !NAMES.test(key) && isWord(text) && !script.test(text),
  );
  expect(foreign).toEqual([]);
});

test('in Latin script no text has a Cyrillic letter, and each has the same values in braces', () => {
  for (const text of Object.values(inUzbek)) {
    const written = latin(text);
    expect(written).not.toMatch(/\p{Script=Cyrillic}/u);
    expect(written.match(/\{\w+\}/g)).toEqual(text.match(/\{\w+\}/g));
  }
});

test('a refusal and a label are said in Latin script', () => {
  expect(translate('oz', { key: 'validation.not_above', with: { min: 'Ўткир' } })).toBe(
    'Ўткир dan katta bo‘lishi kerak.',
  );
  expect(translateLabel('oz', { key: 'inventory.column.responsible' })).toBe('Mas’ul');
});

test.each(catalogues)('the %s texts have the same values in braces as the Russian ones', (_, texts) => {
  const braces = (text = '') => [...text.matchAll(/\{\w+\}/g)].map(String).sort();
  const different = Object.entries(inRussian).filter(
    ([key, text]) => `${braces(text)}` !== `${braces(texts[key])}`,
  );
  expect(different).toEqual([]);
});

test('values go into the braces', () => {
  expect(translate('ru', { key: 'validation.too_long', with: { max: 255 } })).toBe(
    'Не длиннее 255 символов.',
  );
});

test.each([
  [1e-8, '0.00000001'],
  [0.1 + 0.2, '0.3'],
  [999_999_999_999.99, '999999999999.99'],
])('a number in a text is written out: %s', (available, text) => {
  const phrase = { key: 'stock.not_enough', with: { available } } as const;
  expect(translate('ru', phrase)).toBe(`Недостаточно товара: доступно ${text}.`);
});
