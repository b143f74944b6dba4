import { describe, expect, test } from 'vitest';
import type { Staff } from '#lib/auth/actor.ts';
import { StockLevels } from '#lib/stock/stock-levels.ts';
import {
  ArrivalInput,
  decideEnd,
  type TransitFacts,
  transitEndWrites,
} from '#lib/trade/transfer/decide-end.ts';
import type { StockTransferLine } from '#lib/trade/transfer/record.ts';
import { MAX_AMOUNT } from '#lib/values/money.ts';
import { ONE } from '#lib/values/quantity.ts';
import { AT, codesOfRefusal, director, STORED_DOCUMENT, TENANT } from '#tests/support/decisions.ts';
import { newLevelOf } from '#tests/support/stock-levels.ts';

const receiver: Staff = { ...director, type: 'employee', rights: [] };

/** Five pieces of product 1: two that cost 2.00, three that cost 3.00. */
const line: StockTransferLine = {
  ...{ id: 80, product_id: 1, quantity: 5 * ONE },
  batches: [
    { id: 1, cost: 200, currency: 'uzs', at: 0, quantity: 2 * ONE },
    { id: 2, cost: 300, currency: 'uzs', at: 1, quantity: 3 * ONE },
  ],
};

/** Two pieces of product 2. */
const other: StockTransferLine = {
  ...{ id: 81, product_id: 2, quantity: 2 * ONE },
  batches: [{ id: 3, cost: 100, currency: 'uzs', at: 0, quantity: 2 * ONE }],
};

const transfer: TransitFacts['transfer'] = {
  ...STORED_DOCUMENT,
  ...{ from_stock_id: 3, to_stock_id: 4, to_company_id: 1, completed_at: null },
  ...{ status: 'in_transit', products_count: 2 },
};

const levelsAt = (stock_id: number) =>
  new StockLevels(TENANT, [newLevelOf({ stock_id }), newLevelOf({ id: 2, product_id: 2, stock_id })]);

function factsWith(given: Partial<TransitFacts> = {}): TransitFacts {
  return {
    ids: { writeOff: 60, writeOffLine: 90 },
    ...{ transfer, lines: [line, other], canReturn: true },
    receiving: { id: 4, company_id: 2 },
    sender: { id: 3, company_id: 1 },
    levels: { arrived: levelsAt(4), returned: levelsAt(3) },
    accuracies: new Map(),
    ...given,
  };
}

const came = (id: number, quantity: number, missing?: 'returned' | 'lost') => ({ id, quantity, missing });

function end(products: readonly object[], facts = factsWith(), actor: Staff = director) {
  const input = { ...ArrivalInput.parse({ products }), status: 'completed' as const };
  return decideEnd(actor, input, facts, { at: AT, locale: 'ru' });
}

describe('an arrival', () => {
  test.for<[string, readonly object[], Record<string, string>, TransitFacts?, Staff?]>([
    ['of all', [], {}],
    ['of all by who may not receive short', [came(80, 5, 'returned')], {}, factsWith(), receiver],
    [
      'of less by who may not receive short',
      [came(80, 4, 'lost')],
      { 403: 'auth.forbidden' },
      factsWith(),
      receiver,
    ],
    [
      'of more, of less without a word of it and of an unknown line: all at once',
      [came(80, 5.00000001), came(81, 1), came(999, 1)],
      {
        'products.0.quantity': 'validation.too_large',
        'products.1.missing': 'validation.required',
        'products.2.id': 'validation.not_found',
      },
    ],
    [
      'of less, to return to a warehouse that is not open to the caller',
      [came(80, 4, 'returned')],
      { 'products.0.missing': 'transfer.sender_not_open' },
      factsWith({ canReturn: false }),
    ],
    [
      'of less, to return to a warehouse that is gone',
      [came(80, 4, 'returned')],
      { 400: 'stock.gone' },
      factsWith({ canReturn: false, sender: undefined }),
    ],
    [
      'of less, lost, from a warehouse that is gone',
      [came(80, 4, 'lost')],
      {},
      factsWith({ canReturn: false, sender: undefined }),
    ],
    [
      'of more decimals than the unit has',
      [came(81, 1.5, 'lost')],
      { 'products.0.quantity': 'validation.too_many_decimals' },
      factsWith({ accuracies: new Map([[2, 0]]) }),
    ],
    [
      'of nothing, for more than an amount may be',
      [came(80, 0, 'lost'), came(81, 0, 'lost')],
      { products: 'balance.too_large' },
      factsWith({
        lines: [line, other].map((each) => ({
          ...each,
          batches: each.batches.slice(0, 1).map((part) => ({ ...part, cost: MAX_AMOUNT })),
        })),
      }),
    ],
  ])('%s (Part 5, 5A.5)', ([_, products, codes, facts, actor]) => {
    expect(codesOfRefusal(() => end(products, facts, actor))).toEqual(codes);
  });

  test('of less returns the rest into its batches, the oldest arrive first (Part 5, 5A.5 (1), (2))', () => {
    const facts = factsWith();
    const { levels, lines, after, loss } = end([came(80, 4, 'returned')], facts);
    expect(levels.arrived.after.get(1)?.batches).toMatchObject([
      { id: 1, left: 2 * ONE },
      { id: 2, left: 2 * ONE },
    ]);
    expect(levels.returned.after.get(1)?.batches).toMatchObject([{ id: 2, left: ONE }]);
    expect(levels.arrived.free(2)).toBe(2 * ONE);
    expect(lines).toMatchObject([{ id: 80, returned_quantity: ONE }, { id: 81 }]);
    expect(after).toMatchObject({ status: 'completed', to_company_id: 2, completed_at: AT });
    expect(loss).toBeUndefined();
    expect([facts.levels.arrived.free(1), facts.levels.returned.free(1)]).toEqual([0, 0]);
  });

  test('of less writes the loss off at its cost, for the company of the sender now (Part 5, 5A.5 (2))', () => {
    const plan = end([came(80, 1, 'lost')], factsWith({ sender: { id: 3, company_id: 7 } }));
    expect(plan.loss?.writeOff).toMatchObject({
      ...{ id: 60, company_id: 7, stock_id: 3, source_type: 'transfer', source_id: 50, status: 'completed' },
      amounts: { uzs: 200 + 900 },
    });
    expect(plan.loss?.lines).toMatchObject([
      { id: 90, product_id: 1, quantity: 4 * ONE, reason: 'common_loss' },
    ]);
    expect(plan.after).toMatchObject({ writeoff_id: 60 });
    expect(plan.levels.returned.free(1)).toBe(0);
    const keys = transitEndWrites(TENANT, plan).map(({ key: { pk, sk } }) => `${pk} ${sk}`);
    expect(new Set(keys).size).toBe(keys.length);
  });
});

test('a canceled transfer puts all goods back into their batches (Part 5, 5A.5 (3))', () => {
  const back = { id: 3, company_id: 1 };
  const plan = decideEnd(
    director,
    { status: 'canceled', products: [] },
    factsWith({ receiving: back, sender: back }),
    { at: AT, locale: 'ru' },
  );
  expect(plan.levels.returned.after.get(1)?.batches).toMatchObject([
    { id: 1, left: 2 * ONE },
    { id: 2, left: 3 * ONE },
  ]);
  expect([plan.levels.arrived.free(1), plan.levels.returned.free(2)]).toEqual([0, 2 * ONE]);
  expect(plan.after).toMatchObject({ status: 'canceled', completed_at: null, to_company_id: 1 });
});
