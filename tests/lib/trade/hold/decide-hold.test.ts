import { describe, expect, test } from 'vitest';
import { StockLevels } from '#lib/stock/stock-levels.ts';
import { type ContentsFacts, decideContents } from '#lib/trade/hold/decide-contents.ts';
import {
  decideAddition,
  decideCancel,
  decideHold,
  type HoldFacts,
  holdChangeWrites,
} from '#lib/trade/hold/decide-hold.ts';
import { HeldGoods, HoldContents, HoldInput, type HoldLine, type OpenHold } from '#lib/trade/hold/record.ts';
import { MAX_AMOUNT } from '#lib/values/money.ts';
import { ONE } from '#lib/values/quantity.ts';
import { AT, codesOfRefusal, director, STORED_DOCUMENT, TENANT } from '#tests/support/decisions.ts';
import { newProductOf } from '#tests/support/products.ts';
import { newSaleContextOf } from '#tests/support/sale-contexts.ts';
import { newLevelOf } from '#tests/support/stock-levels.ts';

/** Three free pieces of product 1 in batch 11; two more of batch 10 are on hold. */
const level = newLevelOf({
  quantity: 3 * ONE,
  held: 2 * ONE,
  batches: [{ id: 11, cost: 7000, currency: 'uzs', at: 1, left: 3 * ONE }],
});

/** Two pieces of product 1, held at 90.00 each. */
const line: HoldLine = {
  ...{ id: 70, product_id: 1, bundle_id: null, bundle_key: null, bundle_quantity: null },
  ...{ quantity: 2 * ONE, price: 9000, amount: 18_000 },
  batches: [{ id: 10, cost: 6000, currency: 'uzs', at: 0, quantity: 2 * ONE }],
};

/** One bundle 7 of product 2. */
const bundled: HoldLine = {
  ...{ ...line, id: 71, product_id: 2, bundle_id: 7, bundle_key: 'bundle-71', bundle_quantity: 1 },
  ...{ quantity: ONE, amount: 9000, batches: [] },
};

const hold: OpenHold = {
  ...STORED_DOCUMENT,
  ...{ updater_id: 1, stock_id: 3, sale_id: null, full_name: 'Aziz', date: null, comment: null },
  ...{ currency: 'uzs', amount: 18_000, status: 'in_progress', products_count: 1 },
};

function factsWith(given: Partial<HoldFacts> = {}, context: Partial<HoldFacts['basis']> = {}): HoldFacts {
  return { basis: newSaleContextOf(context), quantities: [], accuracies: new Map(), ...given };
}

/** Half a piece of a product that is held in whole pieces. */
const half = {
  quantities: [{ product_id: 1, quantity: ONE / 2, path: 'products.0.quantity' }],
  accuracies: new Map([[1, 0]]),
};

const cardOf = (given: Parameters<typeof newProductOf>[0]) => ({
  products: new Map([[1, newProductOf({ id: 1, ...given })]]),
});
const of = (quantity: number) => ({ products: [{ product_id: 1, quantity }] });
const nowhere = { desk: undefined, warehouse: undefined, hasClient: false, hasPriceType: false };
const elsewhere = { ...newSaleContextOf().found, warehouse: { company_id: 2 } };
const other = { ...newSaleContextOf().found, desk: { company_id: 2, type: 'sale' as const } };

describe('a hold', () => {
  const decide = (body: object, facts = factsWith()) => {
    const place = { cashbox_id: 2, stock_id: 3, cheque: 1, full_name: 'Aziz' };
    return decideHold(director, HoldInput.parse({ ...place, ...body }), { ...facts, id: 50 }, AT);
  };

  test.for<[string, object, Record<string, string>, HoldFacts?]>([
    ['all that is free', of(5), {}],
    ['more than is free (Contract 4)', of(6), { 'products.0.quantity': 'stock.not_enough' }],
    ['nothing (Part 2, "Holds")', {}, { products: 'sale.no_lines' }],
    [
      'a product that is sold only in bundles (Part 2, "Holds")',
      of(1),
      { 'products.0.product_id': 'sale.bundle_only' },
      factsWith({}, cardOf({ is_bundle_only: true })),
    ],
    [
      'a deleted product (Part 2, "Holds")',
      of(1),
      { 'products.0.product_id': 'validation.not_found' },
      factsWith({}, cardOf({ is_deleted: true })),
    ],
    ['until today (Contract 9.5)', { ...of(1), date: '2026-06-01' }, {}],
    ['until a past day (Contract 9.5)', { ...of(1), date: '2026-05-31' }, { date: 'validation.in_past' }],
    [
      'with more decimals than the unit has (Contract 9.112)',
      of(0.5),
      { 'products.0.quantity': 'validation.too_many_decimals' },
      factsWith(half),
    ],
    [
      'of more than an amount may be (Contract 8)',
      of(2),
      { 'products.0.quantity': 'sale.amount_too_large' },
      factsWith({}, cardOf({ sale_price: MAX_AMOUNT })),
    ],
    [
      'in a currency without a rate (Contract 9.115)',
      of(1),
      { 'products.0.price': 'rate.missing' },
      factsWith({}, cardOf({ sale_currency: 'eur' })),
    ],
    [
      'whose places, client, price type and goods do not exist: all at once (Part 2, "Holds")',
      { ...of(1), client_id: 9, price_type_id: 9, date: '2020-01-01' },
      {
        ...{ cashbox_id: 'validation.not_found', stock_id: 'validation.not_found' },
        ...{ client_id: 'validation.not_found', price_type_id: 'validation.not_found' },
        ...{ date: 'validation.in_past', 'products.0.product_id': 'validation.not_found' },
      },
      factsWith({}, { found: nowhere, products: new Map() }),
    ],
    [
      'in a warehouse of another company (Contract 9.26)',
      of(1),
      { stock_id: 'sale.other_company' },
      factsWith({}, { found: elsewhere }),
    ],
  ])('%s', ([_, body, codes, facts]) => {
    expect(codesOfRefusal(() => decide(body, facts))).toEqual(codes);
  });

  test('takes the goods out of free stock, and leaves its facts as they were read (Part 2, "Holds")', () => {
    const facts = factsWith();
    const { hold: made, lines, basis } = decide({ ...of(2), date: '2026-06-05' }, facts);
    expect(made).toMatchObject({ id: 50, status: 'in_progress', amount: 20_000, deposit_amount: 0 });
    expect(lines).toMatchObject([{ id: 80, price: 10_000, batches: [{ id: 1, quantity: 2 * ONE }] }]);
    expect(basis.stockLevels.free(1)).toBe(3 * ONE);
    expect(facts.basis.stockLevels.free(1)).toBe(5 * ONE);
    expect(decide({ ...of(2), date: '2026-06-05' }, facts).lines).toEqual(lines);
  });
});

describe('an addition to a hold', () => {
  const decide = (body: object, facts = factsWith(), held = [line]) => {
    const input = HeldGoods.parse({ cashbox_id: 2, cheque: 1, ...body });
    return decideAddition(director, input, { ...facts, hold, held }, AT);
  };

  test('of a product in it grows its line, at the held price (Contract 9.6)', () => {
    const { after, lines } = decide(of(1));
    expect(lines).toMatchObject([{ id: 70, quantity: 3 * ONE, price: 9000, amount: 27_000 }]);
    expect(after).toMatchObject({ amount: 27_000, products_count: 1, updated_at: AT });
  });

  test('of another product is a line of its own, after the others (Contract 9.3)', () => {
    const products = new Map([[2, newProductOf({ id: 2 })]]);
    const stockLevels = new StockLevels(TENANT, [{ ...level, id: 2, product_id: 2, batches: level.batches }]);
    const body = { products: [{ product_id: 2, quantity: 1 }] };
    const { lines } = decide(body, factsWith({}, { products, stockLevels }));
    expect(lines).toMatchObject([
      { id: 70, quantity: 2 * ONE },
      { id: 80, product_id: 2, quantity: ONE, price: 10_000 },
    ]);
  });

  const thousand = Array.from({ length: 1000 }, (_, index) => ({
    ...line,
    id: 1000 + index,
    product_id: 9 + index,
  }));

  test.for<[string, object, Record<string, string>, HoldFacts?, HoldLine[]?]>([
    ['more than is free (Contract 4)', of(6), { 'products.0.quantity': 'stock.not_enough' }],
    ['nothing (Contract 9.6)', {}, { products: 'sale.no_lines' }],
    [
      'at a desk of another company (Contract 9.1)',
      of(1),
      { cashbox_id: 'sale.other_company' },
      factsWith({}, { found: other }),
    ],
    [
      'over a thousand lines (Part 2, "Holds")',
      of(1),
      { products: 'hold.too_many_lines' },
      factsWith(),
      thousand,
    ],
    [
      'over the limit of an amount, by the whole of it (Contract 8)',
      of(1),
      { products: 'sale.amount_too_large' },
      factsWith(),
      [{ ...line, product_id: 2, amount: MAX_AMOUNT }],
    ],
    [
      'over the limit of an amount, by its line (Contract 8)',
      of(1),
      { 'products.0.quantity': 'sale.amount_too_large' },
      factsWith(),
      [{ ...line, price: MAX_AMOUNT, quantity: ONE, amount: MAX_AMOUNT }],
    ],
    [
      'with more decimals than the unit has (Contract 9.112)',
      of(0.5),
      { 'products.0.quantity': 'validation.too_many_decimals' },
      factsWith(half),
    ],
  ])('%s', ([_, body, codes, facts, held]) => {
    expect(codesOfRefusal(() => decide(body, facts, held))).toEqual(codes);
  });
});

describe('new contents of a hold', () => {
  const contentsWith = (given: Partial<ContentsFacts> = {}): ContentsFacts => ({
    ...{ hold, lines: [line, bundled], stockLevels: levels() },
    ...{ cards: [newProductOf({ id: 1 })], quantities: [], accuracies: new Map() },
    ...given,
  });
  const levels = () => new StockLevels(TENANT, [level, { ...level, id: 2, product_id: 2 }]);
  const both = (quantity: number) => ({ ...of(quantity), bundle_keys: ['bundle-71'] });
  const decide = (body: object, facts = contentsWith()) =>
    decideContents(director, HoldContents.parse(body), facts, AT);

  test('bring it to what is sent: more is taken, what is left out goes back (Part 2, "Holds")', () => {
    const facts = contentsWith();
    const { lines, stockLevels, after } = decide(of(3), facts);
    expect(lines).toMatchObject([
      {
        id: 70,
        quantity: 3 * ONE,
        amount: 27_000,
        batches: [
          { id: 10, quantity: 2 * ONE },
          { id: 11, quantity: ONE },
        ],
      },
    ]);
    expect(after).toMatchObject({ amount: 27_000, products_count: 1 });
    expect(stockLevels.free(1)).toBe(2 * ONE);
    expect(facts.stockLevels.free(1)).toBe(3 * ONE);
  });

  test('that are fewer give back what was taken last (Part 2, "Holds")', () => {
    const { lines, stockLevels } = decide(both(1));
    expect(lines).toMatchObject([
      { quantity: ONE, amount: 9000, batches: [{ id: 10, quantity: ONE }] },
      bundled,
    ]);
    expect(stockLevels.free(1)).toBe(4 * ONE);
  });

  test('write each item once, and follow from the decision alone', () => {
    const change = decide(both(3));
    const keys = [...holdChangeWrites(TENANT, change), ...change.stockLevels.writes()].map(
      ({ key: { pk, sk } }) => `${pk} ${sk}`,
    );
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys.length).toBeGreaterThanOrEqual(3);
  });

  test.for<[string, object, Record<string, string>, ContentsFacts?]>([
    ['all that is held and free (Contract 9.4)', both(5), {}],
    ['more than is held and free (Contract 9.4)', both(6), { 'products.0.quantity': 'stock.not_enough' }],
    ['nothing (Part 2, "Holds")', {}, { products: 'hold.empty' }],
    [
      'goods that are not in it, beside too much: all at once (Contract 9.4)',
      {
        products: [
          { product_id: 1, quantity: 6 },
          { product_id: 2, quantity: 1 },
        ],
        bundle_keys: ['none'],
      },
      {
        'products.0.quantity': 'stock.not_enough',
        'products.1.product_id': 'hold.not_in_it',
        'bundle_keys.0': 'hold.not_in_it',
      },
    ],
    [
      'more of a deleted product',
      both(3),
      { 'products.0.product_id': 'validation.not_found' },
      contentsWith({ cards: [newProductOf({ id: 1, is_deleted: true })] }),
    ],
    [
      'more of a product that is sold only in bundles',
      both(3),
      { 'products.0.product_id': 'sale.bundle_only' },
      contentsWith({ cards: [newProductOf({ id: 1, is_bundle_only: true })] }),
    ],
    ['less of a product that is gone', both(1), {}, contentsWith({ cards: [] })],
    [
      'of more than an amount may be (Contract 8)',
      both(2),
      { 'products.0.quantity': 'sale.amount_too_large' },
      contentsWith({ lines: [{ ...line, price: MAX_AMOUNT, quantity: ONE, amount: MAX_AMOUNT }, bundled] }),
    ],
    [
      'with more decimals than the unit has (Contract 9.112)',
      both(2.5),
      { 'products.0.quantity': 'validation.too_many_decimals' },
      contentsWith(half),
    ],
  ])('%s', ([_, body, codes, facts]) => {
    expect(codesOfRefusal(() => decide(body, facts))).toEqual(codes);
  });
});

test('a canceled hold gives its goods back into their very batches (Part 2, "Hold")', () => {
  const facts = { hold, lines: [line], stockLevels: new StockLevels(TENANT, [level]) };
  const { after, stockLevels } = decideCancel(director, facts, AT);
  expect(after).toEqual({ ...hold, status: 'canceled', updater_id: 1, updated_at: AT });
  expect(stockLevels.after.get(1)).toMatchObject({
    quantity: 5 * ONE,
    batches: [
      { id: 10, cost: 6000, left: 2 * ONE },
      { id: 11, left: 3 * ONE },
    ],
  });
  expect(facts.stockLevels.free(1)).toBe(3 * ONE);
});
