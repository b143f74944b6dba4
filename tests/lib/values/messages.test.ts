import { expect, test } from 'vitest';
import { oz } from '#lib/values/messages/oz.ts';
import { ru } from '#lib/values/messages/ru.ts';
import { say } from '#lib/values/messages/say.ts';
import { uz } from '#lib/values/messages/uz.ts';

/** The contract gives this text, for every language. Part 1, "Shared helper methods". */
const IN_ENGLISH = 'records.unavailable';

const catalogues: [string, Record<string, string>, RegExp][] = [
  ['ru', ru, /[а-яё]/i],
  ['uz', uz, /[а-яўқғҳ]/i],
  ['oz', oz, /[a-z]/i],
];

test.each(catalogues)('every text has its %s version, in that script', (_, texts, script) => {
  expect(Object.keys(texts).sort()).toEqual(Object.keys(ru).sort());
  const foreign = Object.entries(texts).filter(([key, text]) => key !== IN_ENGLISH && !script.test(text));
  expect(foreign).toEqual([]);
});

test('the Latin catalogue has no Cyrillic letter', () => {
  expect(Object.values(oz).filter((text) => /[а-яё]/i.test(text))).toEqual([]);
});

test.each(catalogues)('the %s texts have the same values in braces as the Russian ones', (_, texts) => {
  const braces = (text = '') => [...text.matchAll(/\{\w+\}/g)].map(String).sort();
  const different = Object.entries(ru).filter(([key, text]) => `${braces(text)}` !== `${braces(texts[key])}`);
  expect(different).toEqual([]);
});

test('values go into the braces', () => {
  expect(say('ru', { key: 'validation.max_text', with: { max: 255 } })).toBe('Не длиннее 255 символов.');
});
