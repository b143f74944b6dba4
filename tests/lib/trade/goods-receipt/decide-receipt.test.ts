import { expect, test } from 'vitest';
import { StockLevels } from '#lib/stock/stock-levels.ts';
import {
  decideReceipt,
  operationsToReverse,
  type ReceiptFacts,
  receiptWrites,
  requireCancelableReceipt,
  takeReceived,
} from '#lib/trade/goods-receipt/decide-end.ts';
import { ONE } from '#lib/values/quantity.ts';
import { AT, codesOfRefusal, director, STORED_DOCUMENT, TENANT } from '#tests/support/decisions.ts';
import { newProductOf } from '#tests/support/products.ts';
import { newLevelOf } from '#tests/support/stock-levels.ts';

const card = newProductOf({ id: 1, sale_price: 10_000, min_price: 8000 });

/** Empty stock level, as made for a product that the warehouse never had. */
const level = newLevelOf({ version: 0 });

/** Ten pieces of product 1 at 60.00. */
const line = { id: 80, product_id: 1, quantity: 10 * ONE, cost: 6000, amount: 60_000, sale_price: null };

const draft: ReceiptFacts['before'] = {
  ...STORED_DOCUMENT,
  ...{ completed_at: null, stock_id: 3, supplier_id: null, inventory_id: null, supplier_operation_id: null },
  ...{ currency: 'uzs', amount: 60_000, status: 'draft', comment: null, products_count: 1 },
};

function factsWith(given: Partial<ReceiptFacts> = {}): ReceiptFacts {
  return {
    before: draft,
    lines: [line],
    cards: [card],
    warehouse: { id: 3, company_id: 2 },
    creditor: undefined,
    rates: { uzs: 100, usd: 1_200_000, eur: 0, rub: 0 },
    stockLevels: new StockLevels(TENANT, [level]),
    ...given,
  };
}

const pricedAt = (sale_price: number) => factsWith({ lines: [{ ...line, sale_price }] });

test.for<[string, ReceiptFacts, Record<string, string>]>([
  ['without new prices', factsWith(), {}],
  ['with a price above the floor', pricedAt(9000), {}],
  ['with a price below the minimum price', pricedAt(7999), { 400: 'purchase.price_too_low' }],
  [
    'with a price below the minimum percent over its own cost',
    factsWith({
      lines: [{ ...line, sale_price: 6500 }],
      cards: [{ ...card, min_price: null, min_price_percent: 1000 }],
    }),
    { 400: 'purchase.price_too_low' },
  ],
  [
    'of a cost whose currency has no rate now, with a floor in percent',
    factsWith({
      before: { ...draft, currency: 'eur' },
      lines: [{ ...line, sale_price: 6500 }],
      cards: [{ ...card, min_price: null, min_price_percent: 1000 }],
    }),
    { 400: 'purchase.price_without_rate' },
  ],
  [
    'of a product that is gone',
    factsWith({ cards: [{ ...card, is_deleted: true }] }),
    { 400: 'purchase.product_gone' },
  ],
])('completing a receipt %s (Contract 9.32)', ([_, facts, codes]) => {
  expect(codesOfRefusal(() => decideReceipt(director, facts, AT))).toEqual(codes);
});

test('a completed receipt is of the company that its warehouse is of now, and its lines are batches', () => {
  const facts = pricedAt(9000);
  const { after, prices, stockLevels } = decideReceipt(director, facts, AT);
  expect(after).toMatchObject({ company_id: 2, status: 'completed', completed_at: AT });
  expect(prices).toMatchObject([{ before: { sale_price: 10_000 }, after: { sale_price: 9000 } }]);
  expect(stockLevels.batch(1, 80)).toMatchObject({ left: 10 * ONE, cost: 6000, currency: 'uzs', at: AT });
  expect(facts.stockLevels.free(1)).toBe(0);
});

test('a receipt with a supplier changes the payable by its amount, in one write', () => {
  const sums = { uzs: 0, usd: 0, eur: 0, rub: 0, is_deleted: false };
  const creditor = { id: 7, sums, operationId: 90 };
  const plan = decideReceipt(director, factsWith({ creditor }), AT);
  const alone = receiptWrites(director, decideReceipt(director, factsWith(), AT), AT);
  expect(plan.after.supplier_operation_id).toBe(90);
  expect(receiptWrites(director, plan, AT)).toHaveLength(alone.length + 2);
});

test.for<[string, Partial<ReceiptFacts['before']>, Record<string, string>]>([
  ['a draft', {}, {}],
  ['a completed one', { status: 'completed' }, {}],
  ['one of a stocktake', { inventory_id: 4 }, { 400: 'purchase.of_inventory' }],
  ['a canceled one', { status: 'canceled' }, { 400: 'purchase.canceled' }],
])('canceling %s (Contract 9.12)', ([_, given, codes]) => {
  expect(codesOfRefusal(() => requireCancelableReceipt({ ...draft, ...given }))).toEqual(codes);
});

test('a canceled receipt takes its batches while they are intact, or names the product that is not', () => {
  const { stockLevels } = decideReceipt(director, factsWith(), AT);
  const taken = takeReceived(director, { before: draft, lines: [line], stockLevels }, AT);
  expect('stockLevels' in taken && taken.stockLevels.free(1)).toBe(0);
  expect(stockLevels.free(1)).toBe(10 * ONE);
  const sold = stockLevels.copy();
  sold.take(1, ONE, {
    document: 'sale',
    documentId: 1,
    lineId: 1,
    at: AT,
    by: { creator_id: 1, impersonator_id: null },
  });
  expect(takeReceived(director, { before: draft, lines: [line], stockLevels: sold }, AT)).toEqual({
    obstacle: { key: 'purchase.not_whole', product_id: 1 },
  });
});

test('a canceled receipt reverses its operation and those of its corrections (Part 5, 5A.4 (5))', () => {
  const line = { quantity: 10 * ONE, remaining_quantity: 10 * ONE, gone_amount: 0 };
  const correction = { supplier_operation_id: 91, lines: [line] };
  const receipt = { ...draft, supplier_operation_id: 90 };
  expect(operationsToReverse(receipt, [])).toEqual([90]);
  expect(operationsToReverse(receipt, [correction, { ...correction, supplier_operation_id: 92 }])).toEqual([
    90, 91, 92,
  ]);
  for (const gone of [{ remaining_quantity: 9 * ONE }, { gone_amount: 1 }, { gone_amount: -1 }]) {
    const counted = { ...correction, lines: [line, { ...line, ...gone }] };
    expect(codesOfRefusal(() => operationsToReverse(receipt, [correction, counted]))).toEqual({
      400: 'purchase.corrected',
    });
  }
});
