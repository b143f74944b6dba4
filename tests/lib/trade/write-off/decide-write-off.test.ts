import { describe, expect, test } from 'vitest';
import { StockLevels } from '#lib/stock/stock-levels.ts';
import {
  type CompletionFacts,
  decideCompletion,
  requireCancelableWriteOff,
  writeOffCompletionWrites,
} from '#lib/trade/write-off/decide-end.ts';
import { decideLines, type LineFacts } from '#lib/trade/write-off/decide-lines.ts';
import { amountsOf, WriteOffInput } from '#lib/trade/write-off/record.ts';
import { ONE } from '#lib/values/quantity.ts';
import { AT, codesOfRefusal, director, STORED_DOCUMENT, TENANT } from '#tests/support/decisions.ts';
import { newLevelOf } from '#tests/support/stock-levels.ts';

/** Five pieces of product 1 in batch 10 at 60.00. */
const level = newLevelOf({
  quantity: 5 * ONE,
  batches: [{ id: 10, cost: 6000, currency: 'uzs', at: 0, left: 5 * ONE }],
});

describe('the lines of a write-off', () => {
  const stock = { warehouse: { id: 3, company_id: 1 }, supplierId: null };
  const goods = {
    stockLevels: new StockLevels(TENANT, [level, { ...level, id: 2, product_id: 2 }]),
    inDrafts: new Set<number>(),
    accuracies: new Map<number, number>(),
  };
  const factsWith = (given: Partial<LineFacts> = {}): LineFacts => ({
    ...{ known: new Set([70]), firstId: 80, source: stock, goods },
    ...given,
  });
  const line = { product_id: 1, source_product_id: 10, quantity: 2, reason: 'stock_damage', comment: null };
  const body = (...lines: readonly object[]) => ({
    ...{ source_type: 'stock', source_id: 3, name: 'Synganlar' },
    products: lines.map((each) => ({ ...line, ...each })),
  });
  const ofReceipt = (each: object) => ({ ...body(each), source_type: 'purchase' });
  const decide = (given: object, facts = factsWith()) => decideLines(WriteOffInput.parse(given), facts);

  test.for<[string, object, Record<string, string>, LineFacts?]>([
    ['all of a batch', body({ quantity: 5 }), {}],
    ['more than a batch has', body({ quantity: 6 }), { 'products.0.quantity': 'stock.not_enough' }],
    [
      'a batch that the product has not',
      body({ source_product_id: 11 }),
      { 'products.0.source_product_id': 'validation.not_found' },
    ],
    [
      'a product that the warehouse never had',
      body({ product_id: 3 }),
      { 'products.0.product_id': 'validation.not_found' },
    ],
    [
      'a product in a sale draft',
      body({}),
      { 'products.0.product_id': 'writeoff.in_active_sale' },
      factsWith({ goods: { ...goods, inDrafts: new Set([1]) } }),
    ],
    [
      'more decimals than the unit has',
      body({ quantity: 0.5 }),
      { 'products.0.quantity': 'validation.too_many_decimals' },
      factsWith({ goods: { ...goods, accuracies: new Map([[1, 0]]) } }),
    ],
    ['a line to keep', body({ id: 70 }), {}],
    ['a line of another write-off', body({ id: 71 }), { 'products.0.id': 'validation.not_found' }],
    [
      'a reason of goods receipts, of the warehouse',
      body({ reason: 'purchase_incorrect_description', comment: 'a' }),
      { 'products.0.reason': 'validation.not_one_of' },
    ],
    [
      'a reason that needs a comment',
      body({ reason: 'common_other' }),
      { 'products.0.comment': 'validation.required' },
    ],
    [
      'a reason of goods receipts, of one, without its comment',
      ofReceipt({ reason: 'purchase_incorrect_description' }),
      { 'products.0.comment': 'validation.required' },
    ],
    [
      'a reason of the warehouse, of a goods receipt',
      ofReceipt({ reason: 'stock_damage' }),
      { 'products.0.reason': 'validation.not_one_of' },
    ],
    ['a common reason, of a goods receipt', ofReceipt({ reason: 'common_loss' }), {}],
    [
      'industrial usage, without its comment',
      body({ reason: 'stock_industrial_usage' }),
      { 'products.0.comment': 'validation.required' },
    ],
    ['overdue goods, without a comment', body({ reason: 'stock_overdue' }), {}],
    [
      'an unknown source beside a wrong reason: both',
      body({ reason: 'common_other' }),
      { source_id: 'validation.not_found', 'products.0.comment': 'validation.required' },
      factsWith({ source: { reason: 'validation.not_found' }, goods: undefined }),
    ],
    [
      'a batch of another goods receipt',
      { ...body({ reason: 'common_loss' }), source_type: 'purchase' },
      { 'products.0.source_product_id': 'validation.not_found' },
      factsWith({ source: { ...stock, supplierId: 7, batches: new Map([[11, 1]]) } }),
    ],
  ])('with %s (Contract 9.16, 9.19)', ([_, given, codes, facts]) => {
    expect(codesOfRefusal(() => decide(given, facts))).toEqual(codes);
  });

  test('keep their ids, new ones get the next', () => {
    const lines = [{ product_id: 2 }, { id: 70 }];
    expect(decide(body(...lines)).lines.map(({ id }) => id)).toEqual([80, 70]);
  });
});

describe('the completion of a write-off', () => {
  const line = {
    ...{ id: 80, product_id: 1, source_product_id: 10, quantity: 2 * ONE, comment: null, batches: [] },
    reason: 'stock_damage',
  } as const;
  const before: CompletionFacts['before'] = {
    ...STORED_DOCUMENT,
    ...{ completed_at: null, stock_id: 3, supplier_id: null, supplier_operation_id: null, source_id: 3 },
    ...{ source_type: 'stock', name: 'a', status: 'waiting_for_confirmation', products_count: 1 },
    amounts: amountsOf([]),
  };
  const factsWith = (given: Partial<CompletionFacts> = {}): CompletionFacts => ({
    ...{
      before,
      lines: [line],
      warehouse: { company_id: 2 },
      creditor: undefined,
      inDrafts: new Set<number>(),
    },
    ...{ stockLevels: new StockLevels(TENANT, [level]), ...given },
  });

  test('takes its goods from their own batch at its cost, in the company of the warehouse now', () => {
    const facts = factsWith();
    const decision = decideCompletion(director, facts, AT);
    if (!('plan' in decision)) throw new Error(decision.obstacle.key);
    const { after, lines, stockLevels } = decision.plan;
    expect(after).toMatchObject({ status: 'completed', company_id: 2, amounts: { uzs: 12_000, usd: 0 } });
    expect(lines).toMatchObject([{ batches: [{ id: 10, quantity: 2 * ONE, amount: 12_000 }] }]);
    expect(stockLevels.free(1)).toBe(3 * ONE);
    expect(facts.stockLevels.free(1)).toBe(5 * ONE);
    const keys = writeOffCompletionWrites(director, decision.plan, AT).map(
      ({ key: { pk, sk } }) => `${pk} ${sk}`,
    );
    expect(new Set(keys).size).toBe(keys.length);
  });

  test.for<[string, CompletionFacts, object]>([
    [
      'a product in a sale draft',
      factsWith({ inDrafts: new Set([1]) }),
      { key: 'writeoff.product_in_active_sale', product_id: 1 },
    ],
    [
      'less than it needs in its batch, with what is available',
      factsWith({ lines: [{ ...line, quantity: 6 * ONE }] }),
      { key: 'writeoff.product_short', product_id: 1, with: { available: 5 } },
    ],
    [
      'an exhausted batch',
      factsWith({ lines: [{ ...line, source_product_id: 11 }] }),
      { key: 'writeoff.product_short', product_id: 1, with: { available: 0 } },
    ],
  ])('is refused for %s (Contract 9.17)', ([_, facts, obstacle]) => {
    expect(decideCompletion(director, facts, AT)).toEqual({ obstacle });
  });

  test('of two lines of one batch counts both', () => {
    const lines = [line, { ...line, id: 81, quantity: 4 * ONE }];
    expect(decideCompletion(director, factsWith({ lines }), AT)).toMatchObject({
      obstacle: { key: 'writeoff.product_short', with: { available: 3 } },
    });
  });

  test.for<[string, Partial<CompletionFacts['before']>, Record<string, string>]>([
    ['a pending one', {}, {}],
    ['a completed one', { status: 'completed', completed_at: AT - 1000 }, {}],
    ['one of a stocktake', { source_type: 'inventory' }, { 400: 'writeoff.of_inventory' }],
    ['one of a transfer', { source_type: 'transfer' }, { 400: 'writeoff.of_transfer' }],
    ['a canceled one', { status: 'canceled' }, { 400: 'writeoff.canceled' }],
  ])('can be undone: %s (Contract 9.12)', ([_, given, codes]) => {
    expect(codesOfRefusal(() => requireCancelableWriteOff({ ...before, ...given }))).toEqual(codes);
  });
});
