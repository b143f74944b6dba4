import { describe, expect, test } from 'vitest';
import {
  type CorrectionFacts,
  decideCorrection,
  requireCorrectableReceipt,
  requireOtherCosts,
} from '#lib/trade/cost-correction/decide.ts';
import type { GoodsReceipt, GoodsReceiptLine } from '#lib/trade/goods-receipt/record.ts';
import { MAX_AMOUNT } from '#lib/values/money.ts';
import { ONE } from '#lib/values/quantity.ts';
import { codesOfRefusal, STORED_DOCUMENT } from '#tests/support/decisions.ts';
import { SOME_RATES } from '#tests/support/sale-contexts.ts';
import { newLevelOf } from '#tests/support/stock-levels.ts';

/** Ten pieces of product 1 that cost 2.00 each, and ten of product 2. */
const line: GoodsReceiptLine = {
  ...{ id: 10, product_id: 1, quantity: 10 * ONE, cost: 200, amount: 2000, sale_price: null },
};
const lines = [line, { ...line, id: 11, product_id: 2 }];

/** Of product 1 five pieces are in one warehouse, and two in another. */
const levelWith = (id: number, left: number) =>
  newLevelOf({
    ...{ id, stock_id: id, quantity: left * ONE },
    batches: [{ id: 10, cost: 200, currency: 'uzs', at: 0, left: left * ONE }],
  });

function factsWith(given: Partial<CorrectionFacts> = {}): CorrectionFacts {
  return {
    ...{ lines, currency: 'uzs', requested: [{ id: 10, cost: 250 }] },
    stockLevels: [levelWith(1, 5), levelWith(2, 2)],
    ...{ reportCurrency: 'uzs', rates: SOME_RATES },
    ...given,
  };
}

const decide = (given: Partial<CorrectionFacts> = {}) => decideCorrection(factsWith(given));

describe('a correction of costs', () => {
  test('counts goods that remain in any warehouse, and those that are gone (Part 5, 5A.4 (1), (3))', () => {
    const plan = decide();
    expect(plan.products).toEqual([
      {
        ...{ id: 10, product_id: 1, quantity: 10 * ONE, remaining_quantity: 7 * ONE },
        ...{ previous_cost: 200, cost: 250, amount: 500, gone_amount: 150, report_amount: 150 },
      },
    ]);
    expect(plan.lines).toMatchObject([{ cost: 250, amount: 2500 }, lines[1]]);
    expect(plan.changed.map(({ after }) => after.batches)).toMatchObject([
      [{ cost: 250, left: 5 * ONE }],
      [{ cost: 250, left: 2 * ONE }],
    ]);
  });

  test('to a lower cost is negative (Part 5, 5A.4 (2))', () => {
    expect(decide({ requested: [{ id: 10, cost: 100 }] }).products).toMatchObject([
      { amount: -1000, gone_amount: -300, report_amount: -300 },
    ]);
  });

  test('leaves goods that came back at another cost as they are (Part 5, 5A.4 (2))', () => {
    const [level] = factsWith().stockLevels;
    const apart = {
      ...levelWith(2, 2),
      batches: [{ id: -1, cost: 150, currency: 'uzs', at: 0, left: 2 * ONE }],
    } as const;
    const plan = decide({
      stockLevels: [level ?? levelWith(1, 5), { ...apart, batches: [...apart.batches] }],
    });
    expect(plan.products).toMatchObject([{ remaining_quantity: 5 * ONE, gone_amount: 250 }]);
    expect(plan.changed).toHaveLength(1);
  });

  test('is reported at today’s rates, rounded once per line (Part 5, 5A.4 (3))', () => {
    const levels = [levelWith(1, 9)].map((level) => ({
      ...level,
      batches: level.batches.map((batch) => ({ ...batch, currency: 'usd' as const })),
    }));
    const plan = decide({ currency: 'usd', requested: [{ id: 10, cost: 201 }], stockLevels: levels });
    expect(plan.products).toMatchObject([{ amount: 10, gone_amount: 1, report_amount: 12_000 }]);
  });

  test.for<[string, Partial<CorrectionFacts>, Record<string, string>]>([
    [
      'over the limit of an amount (Contract 8)',
      { requested: [{ id: 10, cost: MAX_AMOUNT }] },
      { 'products.0.cost': 'sale.amount_too_large', products: 'sale.amount_too_large' },
    ],
    [
      'over it in the currency of the report (Contract 8)',
      { currency: 'usd', requested: [{ id: 10, cost: 1_000_000_000 }] },
      { 'products.0.cost': 'sale.cost_too_large' },
    ],
    [
      'without a rate for goods that are gone (Part 5, 5A.4 (3))',
      { currency: 'eur' },
      { 'products.0.cost': 'rate.missing' },
    ],
  ])('%s', ([_, given, codes]) => {
    expect(codesOfRefusal(() => decide(given))).toEqual(codes);
  });
});

test.for<[string, { id: number; cost: number }[], Record<string, string>]>([
  ['another cost', [{ id: 10, cost: 250 }], {}],
  [
    'another cost beside an equal one',
    [
      { id: 10, cost: 250 },
      { id: 11, cost: 200 },
    ],
    {},
  ],
  ['the same costs', [{ id: 10, cost: 200 }], { products: 'purchase.same_costs' }],
  [
    'an unknown line',
    [
      { id: 99, cost: 1 },
      { id: 10, cost: 250 },
    ],
    { 'products.0.id': 'validation.not_found' },
  ],
])('a correction names %s (Part 5, 5A.4 (1))', ([_, requested, codes]) => {
  expect(codesOfRefusal(() => requireOtherCosts(lines, requested))).toEqual(codes);
});

test.for<[string, Partial<GoodsReceipt>, Record<string, string>]>([
  ['a completed receipt', {}, {}],
  ['a draft', { status: 'draft' }, { 400: 'purchase.not_completed' }],
  ['a canceled one', { status: 'canceled' }, { 400: 'purchase.canceled' }],
  ['one of a stocktake', { inventory_id: 4 }, { 400: 'purchase.of_inventory' }],
])('the costs of %s can be corrected or not (Part 5, 5A.4)', ([_, given, codes]) => {
  const receipt = {
    ...STORED_DOCUMENT,
    ...{ completed_at: 1, stock_id: 3, supplier_id: null, inventory_id: null, supplier_operation_id: null },
    ...{ currency: 'uzs' as const, amount: 4000, comment: null, products_count: 2 },
  };
  const changed: GoodsReceipt = { ...receipt, status: 'completed', ...given };
  expect(codesOfRefusal(() => requireCorrectableReceipt(changed))).toEqual(codes);
});
