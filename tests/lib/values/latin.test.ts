import { expect, test } from 'vitest';
import { latin } from '#lib/values/latin.ts';

test.each([
  ['Бундай ҳуқуқ йўқ', 'Bunday huquq yo‘q'],
  ['Ғишт, Чой ва Ўрам', 'G‘isht, Choy va O‘ram'],
  ['Етказиб берувчи', 'Yetkazib beruvchi'],
  ['бериш керак, поездда', 'berish kerak, poyezdda'],
  ['объект', 'obyekt'],
  ['Маълумот, масъул', 'Ma’lumot, mas’ul'],
  ['цемент, инкассация', 'sement, inkassatsiya'],
  ['альбом', 'albom'],
  ['ЙЙЙЙ-ОО-КК', 'YYYY-OO-KK'],
  ['{max} та Excel китоби', '{max} ta Excel kitobi'],
])('%s is written %s', (cyrillic, written) => {
  expect(latin(cyrillic)).toBe(written);
});
