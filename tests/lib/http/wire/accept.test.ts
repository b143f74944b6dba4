import { expect, test } from 'vitest';
import { localeOf } from '#lib/http/wire/accept.ts';

test.each([
  [undefined, 'ru'],
  ['', 'ru'],
  ['en', 'ru'],
  ['uz', 'uz'],
  ['oz', 'oz'],
  ['uz-UZ', 'uz'],
  ['uz-Latn-UZ', 'oz'],
  ['en-US,en;q=0.9,oz;q=0.8', 'oz'],
  ['uz;q=0.2, oz;q=0.7', 'oz'],
  ['uz;q=0, ru;q=0.1', 'ru'],
  ['*', 'ru'],
])('Accept-Language %j is answered in %s', (header, locale) => {
  expect(localeOf(header)).toBe(locale);
});
