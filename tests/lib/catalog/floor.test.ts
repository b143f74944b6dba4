import { expect, test } from 'vitest';
import { floorOf } from '#lib/catalog/floor.ts';

const rates = { uzs: 100, usd: 12_650_00, eur: 13_700_00, rub: 0 };
const inSums = { currency: 'uzs', rates } as const;
const card = { min_price: null, min_price_percent: null, sale_currency: 'uzs' } as const;
const cost = { cost: 600_00, currency: 'uzs' } as const;

test('the floor is the higher of min_price and the latest cost with the percent on it (Contract 9.107)', () => {
  expect(floorOf({ ...card, min_price: 500_00 }, cost, inSums)).toBe(500_00);
  expect(floorOf({ ...card, min_price_percent: 10_00 }, cost, inSums)).toBe(660_00);
  const both = { ...card, min_price_percent: 10_00 };
  expect(floorOf({ ...both, min_price: 659_99 }, cost, inSums)).toBe(660_00);
  expect(floorOf({ ...both, min_price: 660_01 }, cost, inSums)).toBe(660_01);
  expect(floorOf({ ...card, min_price_percent: 0 }, cost, inSums)).toBe(600_00);
  expect(floorOf(card, cost, inSums)).toBe(0);
});

test('goods that never came have no floor by the percent (Contract 9.107)', () => {
  const both = { ...card, min_price: 500_00, min_price_percent: 10_00 };
  expect(floorOf(both, undefined, inSums)).toBe(500_00);
  expect(floorOf({ ...both, min_price: null }, undefined, inSums)).toBe(0);
});

test('a floor is converted by the rates and rounded once, half up (Contract 9.107)', () => {
  const percent = { ...card, min_price_percent: 33_33 };
  expect(floorOf(percent, { cost: 1, currency: 'uzs' }, inSums)).toBe(1);
  expect(floorOf({ ...percent, min_price_percent: 50_00 }, { cost: 1, currency: 'uzs' }, inSums)).toBe(2);
  // 0.01 dollars with 33.33 percent are 168.66245 sums.
  expect(floorOf(percent, { cost: 1, currency: 'usd' }, inSums)).toBe(168_66);
  expect(floorOf({ ...card, min_price: 12_650_00 }, undefined, { currency: 'usd', rates })).toBe(1_00);
});

test('a currency without a rate has no floor in another, and in itself the one that it has', () => {
  const percent = { ...card, min_price_percent: 10_00 };
  const roubles = { cost: 100, currency: 'rub' } as const;
  expect(floorOf(percent, roubles, inSums)).toBeUndefined();
  expect(floorOf(percent, roubles, { currency: 'rub', rates })).toBe(110);
  expect(floorOf({ ...card, min_price: 1 }, undefined, { currency: 'rub', rates })).toBeUndefined();
});
