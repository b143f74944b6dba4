import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { makerOf } from '#lib/auth/actor.ts';
import { MAX_BATCHES, takeOldest } from '#lib/stock/batch.ts';
import type { BatchPart } from '#lib/stock/batch-part.ts';
import { type StockLevel, stockLevelKey } from '#lib/stock/stock-level.ts';
import { addToStock, lastCostOf, takeParts } from '#lib/stock/stock-level-change.ts';

const [WAREHOUSE, WATER] = [11, 12];

const EMPTY: StockLevel = {
  id: 13,
  stock_id: WAREHOUSE,
  product_id: WATER,
  quantity: 0,
  batches: [],
  recent: '',
  pages: 0,
  created_at: 0,
  version: 0,
};

const CAUSE = { document: 'purchase', documentId: 14, lineId: 15, at: 0, by: makerOf({ id: 16 }) } as const;

const SALE = { ...CAUSE, document: 'sale' } as const;

test('no two balances of a warehouse share a partition, which takes a thousand write units a second', () => {
  const keys = Array.from({ length: 100 }, (_, product) => stockLevelKey('family-1', 1, product).pk);
  expect(new Set(keys).size).toBe(100);
  expect(stockLevelKey('family-1', 1, 12).pk).not.toBe(stockLevelKey('family-1', 11, 2).pk);
});

test('the cost of the newest goods outlives them, whatever is sold and comes back', () => {
  const step = fc.record({
    kind: fc.constantFrom('in', 'out', 'back'),
    quantity: fc.integer({ min: 1, max: 9 }),
    cost: fc.integer({ min: 1, max: 3 }),
  });
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      let balance = EMPTY;
      let taken: readonly BatchPart[] = [];
      let last: object | undefined;
      for (const [index, { kind, quantity, cost }] of steps.entries()) {
        if (kind === 'in') {
          last = { id: index + 1, cost, currency: 'uzs', at: index };
          balance = addToStock(
            balance,
            [{ id: index + 1, cost, currency: 'uzs', at: index, quantity }],
            CAUSE,
          );
        } else if (kind === 'back') {
          balance = addToStock(balance, taken, CAUSE);
          taken = [];
        } else {
          const parts = takeOldest(balance.batches, quantity);
          balance = parts ? takeParts(balance, parts, SALE) : balance;
          taken = parts ?? taken;
        }
        expect(lastCostOf(balance)).toEqual(last);
      }
    }),
  );
});

test('goods of a canceled receipt leave the cost of those before them, though all had gone and came back', () => {
  const parts = [1, 2, 3].map((id) => ({ id, cost: id, currency: 'uzs', at: id, quantity: 1 }) as const);
  let balance = addToStock(EMPTY, parts, CAUSE);
  balance = takeParts(balance, parts, SALE);
  expect(lastCostOf(balance)).toMatchObject({ id: 3 });
  for (const part of parts.toReversed()) {
    balance = addToStock(balance, [part], SALE);
    balance = takeParts(balance, [part], CAUSE);
    const before = parts[part.id - 2];
    expect(lastCostOf(balance)?.cost).toBe(before?.cost);
  }
  expect(balance).not.toHaveProperty('last_cost');
});

test('the newest goods are known by their own date though they were merged into older ones', () => {
  const parts = Array.from({ length: MAX_BATCHES + 1 }, (_, index) => {
    return { id: index + 1, cost: index === 1 ? 7 : 5, currency: 'uzs', at: index, quantity: 1 } as const;
  });
  const balance = addToStock(EMPTY, parts, CAUSE);
  expect(balance.batches.map(({ id, at, left }) => [id, at, left])).toEqual([
    [-1, 0, MAX_BATCHES],
    [2, 1, 1],
  ]);
  expect(lastCostOf(balance)).toEqual({ id: MAX_BATCHES + 1, cost: 5, currency: 'uzs', at: MAX_BATCHES });
});

test('a balance takes quantities that a number can tell apart to eight decimals, and no more', () => {
  const max = 67_000_000 * 100_000_000;
  const part = { id: 1, cost: 1, currency: 'uzs', at: 0, quantity: max } as const;
  const full = addToStock(EMPTY, [part], CAUSE);
  expect(JSON.stringify(max / 1e8)).not.toBe(JSON.stringify((max - 1) / 1e8));
  expect(() => addToStock(full, [{ ...part, quantity: 1 }], CAUSE)).toThrow('stock.too_much');
});
