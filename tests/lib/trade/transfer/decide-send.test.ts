import { expect, test } from 'vitest';
import { StockLevels } from '#lib/stock/stock-levels.ts';
import { decideSend, type SendFacts, sendWrites } from '#lib/trade/transfer/decide-send.ts';
import { StockTransferInput } from '#lib/trade/transfer/record.ts';
import { ONE } from '#lib/values/quantity.ts';
import { AT, codesOfRefusal, director, TENANT } from '#tests/support/decisions.ts';
import { newLevelOf } from '#tests/support/stock-levels.ts';

/** Five pieces of product 1 in two batches; product 2 was never in the warehouse. */
const level = newLevelOf({
  quantity: 5 * ONE,
  batches: [
    { id: 1, cost: 6000, currency: 'uzs', at: 0, left: 2 * ONE },
    { id: 2, cost: 7000, currency: 'uzs', at: 1, left: 3 * ONE },
  ],
});

function factsWith(given: Partial<SendFacts> = {}): SendFacts {
  return {
    ids: { transfer: 50, line: 80 },
    from: { id: 3, company_id: 1 },
    to: { id: 4, company_id: 2 },
    stockLevels: new StockLevels(TENANT, [level]),
    unknown: new Set(),
    accuracies: new Map(),
    ...given,
  };
}

const of = (...products: readonly (readonly [number, number])[]) => ({
  ...{ from_stock_id: 3, to_stock_id: 4 },
  products: products.map(([product_id, quantity]) => ({ product_id, quantity })),
});

function decide(body: object, facts = factsWith()) {
  return decideSend(director, StockTransferInput.parse(body), facts, AT);
}

test.for<[string, object, Record<string, string>, SendFacts?]>([
  ['all that is free', of([1, 5]), {}],
  ['more than is free', of([1, 6]), { 'products.0.quantity': 'stock.not_enough' }],
  ['a product that the warehouse never had', of([2, 1]), { 'products.0.quantity': 'stock.not_enough' }],
  [
    'an unknown product, beside more than is free: both, and one problem each',
    of([2, 1], [1, 6]),
    { 'products.0.product_id': 'validation.not_found', 'products.1.quantity': 'stock.not_enough' },
    factsWith({ unknown: new Set([2]) }),
  ],
  [
    'more decimals than the unit has',
    of([1, 0.5]),
    { 'products.0.quantity': 'validation.too_many_decimals' },
    factsWith({ accuracies: new Map([[1, 0]]) }),
  ],
  [
    'all that is free, whatever its decimals',
    of([1, 0.5]),
    {},
    factsWith({
      accuracies: new Map([[1, 0]]),
      stockLevels: new StockLevels(TENANT, [
        { ...level, quantity: ONE / 2, batches: [{ ...level.batches[0], left: ONE / 2 }] },
      ]),
    }),
  ],
])('sending %s (Contract 9.13)', ([_, body, codes, facts]) => {
  expect(codesOfRefusal(() => decide(body, facts))).toEqual(codes);
});

test('goods that are sent leave the oldest batches, and the facts stay as they were read (Contract 4)', () => {
  const facts = factsWith();
  const { transfer, lines, stockLevels } = decide(of([1, 3]), facts);
  expect(transfer).toMatchObject({ id: 50, company_id: 1, to_company_id: 2, status: 'in_transit' });
  expect(lines).toMatchObject([
    {
      id: 80,
      batches: [
        { id: 1, quantity: 2 * ONE },
        { id: 2, quantity: ONE },
      ],
    },
  ]);
  expect(stockLevels.free(1)).toBe(2 * ONE);
  expect(facts.stockLevels.free(1)).toBe(5 * ONE);
  expect(decide(of([1, 3]), facts).lines).toEqual(lines);
});

test('the writes of a transfer touch each item once, the counter of the receiving warehouse too', () => {
  const keys = sendWrites(TENANT, decide(of([1, 3]))).map(({ key: { pk, sk } }) => `${pk} ${sk}`);
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys.length).toBeGreaterThanOrEqual(4);
});
