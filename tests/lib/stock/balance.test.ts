import { expect, test } from 'vitest';
import { balanceKey } from '#lib/stock/balance.ts';

test('no two balances of a warehouse share a partition, which takes a thousand write units a second', () => {
  const keys = Array.from({ length: 100 }, (_, product) => balanceKey('family-1', 1, product).pk);
  expect(new Set(keys).size).toBe(100);
  expect(balanceKey('family-1', 1, 12).pk).not.toBe(balanceKey('family-1', 11, 2).pk);
});
