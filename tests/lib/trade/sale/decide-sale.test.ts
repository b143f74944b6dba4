import { describe, expect, test } from 'vitest';
import type { Staff } from '#lib/auth/actor.ts';
import { StockLevels } from '#lib/stock/stock-levels.ts';
import { decideSale, type SaleFacts, salePlanWrites } from '#lib/trade/checkout/decide-sale.ts';
import { SaleInput } from '#lib/trade/sale/input.ts';
import { MAX_AMOUNT } from '#lib/values/money.ts';
import { ONE } from '#lib/values/quantity.ts';
import { AT, codesOfDecision, director, TENANT } from '#tests/support/decisions.ts';
import { newProductOf } from '#tests/support/products.ts';
import { newSaleFactsOf } from '#tests/support/sale-contexts.ts';
import { newLevelOf } from '#tests/support/stock-levels.ts';

const DUE = '2026-07-01';

const cash = (amount: number, currency?: string) => ({ payment_type: 'cash', amount, currency });
const debt = (amount: number) => ({ payment_type: 'debt', amount });
const onDebt = { client_id: 9, due_date: DUE };

function decide(body: object, facts = newSaleFactsOf(), actor: Staff = director) {
  const place = { cashbox_id: 2, stock_id: 3, currency: 'uzs' };
  const sale = { products: [{ product_id: 1, sold_quantity: 2 }], transactions: [cash(200)] };
  return decideSale(actor, SaleInput.parse({ ...place, ...sale, ...body }), facts, { at: AT });
}

const { found } = newSaleFactsOf().basis;
const unlessFound = (given: Partial<typeof found>) => newSaleFactsOf({}, { found: { ...found, ...given } });

const cardOf = (given: Parameters<typeof newProductOf>[0]) =>
  newSaleFactsOf({}, { products: new Map([[1, newProductOf({ id: 1, ...given })]]) });

/** Five pieces of product 1 that had this cost. */
const costing = (cost: number, currency: 'uzs' | 'eur' = 'uzs') => {
  const batches = [{ id: 1, cost, currency, at: 0, left: 5 * ONE }];
  return newSaleFactsOf(
    {},
    { stockLevels: new StockLevels(TENANT, [newLevelOf({ quantity: 5 * ONE, batches })]) },
  );
};

/** Bundle 7 of two of product 1, for this price. */
const bundleFor = (price: number, given: Parameters<typeof newProductOf>[0] = {}, quantity = 2 * ONE) => {
  const record = { id: 7, company_id: 1, creator_id: 1, created_at: 0, updated_at: 0, is_deleted: false };
  const bundle = { ...record, name: 'Set', price, products: [{ product_id: 1, quantity }] };
  return newSaleFactsOf(
    {},
    { products: new Map([[1, newProductOf({ id: 1, ...given })]]), bundles: new Map([[7, bundle]]) },
  );
};
const bundled = (amount: number, given: object = {}) => ({
  ...{ products: [], bundles: [{ bundle_id: 7, ...given }] },
  transactions: amount > 0 ? [cash(amount)] : [],
});

const products = (line: object) => [{ product_id: 1, sold_quantity: 2, ...line }];

/** Rules beside a field that is wrong itself: none that depends on it is applied. */
const wrong = {
  products: [{ product_id: 1, sold_quantity: 6, price: 79 }],
  transactions: [cash(1)],
};
const [low, short] = [
  { 'products.0.price': 'sale.price_too_low' },
  { 'products.0.sold_quantity': 'stock.not_enough' },
];
const unlessRight: [string, object, Record<string, string>, SaleFacts?][] = [
  ['prices and quantities are judged at once, payments not beside them', wrong, { ...low, ...short }],
  [
    'prices are not judged without a desk',
    wrong,
    { cashbox_id: 'validation.not_found', ...short },
    unlessFound({ desk: undefined }),
  ],
  [
    'prices are not judged in another currency',
    { ...wrong, currency: 'usd' },
    { currency: 'sale.other_currency', ...short },
  ],
  [
    'quantities are not judged without a warehouse',
    wrong,
    { stock_id: 'validation.not_found', ...low },
    unlessFound({ warehouse: undefined }),
  ],
  [
    'payments are not judged without a total',
    { products: [{ product_id: 4040, sold_quantity: 1 }], transactions: [cash(1)] },
    { 'products.0.product_id': 'validation.not_found' },
  ],
  ['payments are judged with one', { transactions: [cash(1)] }, { transactions: 'sale.payments_differ' }],
];

describe('a sale is decided without a service or a table', () => {
  test.for<[string, object, Record<string, string>, SaleFacts?, Staff?]>([
    ['price: its own', {}, {}],
    [
      'price: another above the minimum',
      { products: products({ price: 80 }), transactions: [cash(160)] },
      {},
    ],
    [
      'price: below the minimum',
      { products: products({ price: 79.99 }), transactions: [cash(159.98)] },
      { 'products.0.price': 'sale.price_too_low' },
    ],
    [
      'price: a discount below the minimum',
      { products: products({ discount: 41 }), transactions: [cash(159)] },
      { 'products.0.discount': 'sale.price_too_low' },
    ],
    [
      'price: a discount without the right',
      { products: products({ discount: 10 }), transactions: [cash(190)] },
      { 'products.0.discount': 'sale.discount_forbidden' },
      newSaleFactsOf({}, { pricing: { ...newSaleFactsOf().basis.pricing, canDiscount: false } }),
    ],
    [
      'price: another, of a product without is_free_price',
      { products: products({ price: 110 }), transactions: [cash(220)] },
      { 'products.0.price': 'sale.price_fixed' },
      cardOf({ is_free_price: false }),
    ],
    [
      'price: a discount over the amount',
      { products: products({ discount: 200.01 }), transactions: [cash(0.01)] },
      { 'products.0.discount': 'sale.discount_too_large' },
      cardOf({}),
    ],
    [
      'price: in a currency without a rate (Contract 8)',
      { transactions: [] },
      { 'products.0.price': 'rate.missing' },
      cardOf({ sale_currency: 'eur' }),
    ],
    [
      'price: another, of a product in a currency without a rate (Contract 8)',
      { products: products({ price: 10 }), transactions: [cash(20)] },
      { 'products.0.price': 'rate.missing' },
      cardOf({ sale_currency: 'eur' }),
    ],
    [
      'cost: in a currency without a rate (Contract 8)',
      {},
      { 'products.0.price': 'rate.missing' },
      costing(1, 'eur'),
    ],
    [
      'cost: more than an amount may be (Contract 8)',
      {},
      { 'products.0.sold_quantity': 'sale.cost_too_large' },
      costing(MAX_AMOUNT),
    ],
    [
      'cost: as much as an amount may be (Contract 8)',
      { products: products({ sold_quantity: 1 }), transactions: [cash(100)] },
      {},
      costing(MAX_AMOUNT),
    ],
    [
      'product: sold only in bundles',
      {},
      { 'products.0.product_id': 'sale.bundle_only' },
      cardOf({ is_bundle_only: true }),
    ],
    [
      'bundle: its products may be sold only in it',
      bundled(200),
      {},
      bundleFor(20_000, { is_bundle_only: true }),
    ],
    [
      'bundle: at its own price, with a share under the minimum (Contract 9.107)',
      bundled(150),
      {},
      bundleFor(15_000, { min_price: 8000 }),
    ],
    [
      'bundle: dearer, less a discount to above its own price (Contract 9.107)',
      bundled(155, { price: 160, discount: 5 }),
      {},
      bundleFor(15_000, { min_price: 8000 }),
    ],
    [
      'bundle: a share exactly at the minimum (Contract 9.107)',
      bundled(160, { discount: 40 }),
      {},
      bundleFor(20_000, { min_price: 8000 }),
    ],
    [
      'bundle: a price with a share under the minimum (Contract 9.107)',
      bundled(0.01, { price: 0.01 }),
      { 'bundles.0.price': 'sale.bundle_price_too_low' },
      bundleFor(20_000, { min_price: 8000 }),
    ],
    [
      'bundle: a discount with a share under the minimum (Contract 9.107)',
      bundled(159.98, { discount: 40.02 }),
      { 'bundles.0.discount': 'sale.bundle_price_too_low' },
      bundleFor(20_000, { min_price: 8000 }),
    ],
    [
      'bundle: of a product priced in a currency without a rate (Contract 8)',
      bundled(200),
      { 'bundles.0.price': 'rate.missing' },
      bundleFor(20_000, { sale_currency: 'eur' }),
    ],
    [
      'bundle: so dear that a whole piece of its part has no amount (Contract 8)',
      bundled(1_000_000),
      { 'bundles.0.price': 'sale.amount_too_large' },
      bundleFor(100_000_000, {}, 1),
    ],
    [
      'payment: less than the total',
      { transactions: [cash(199.99)] },
      { transactions: 'sale.payments_differ' },
    ],
    [
      'payment: more than the total',
      { transactions: [cash(200.01)] },
      { transactions: 'sale.payments_differ' },
    ],
    [
      'payment: by bank at a company without it',
      { transactions: [{ payment_type: 'bank', amount: 200 }] },
      { 'transactions.0.payment_type': 'sale.bank_not_taken' },
      newSaleFactsOf({}, { takesPayments: false }),
    ],
    [
      'payment: bonuses that the client does not have',
      { client_id: 9, transactions: [{ payment_type: 'bonus', amount: 200 }] },
      { 'transactions.0.amount': 'sale.not_enough_bonuses' },
    ],
    [
      'debt: without client and due date',
      { transactions: [debt(200)] },
      { client_id: 'sale.debt_without_client', due_date: 'sale.debt_without_due_date' },
    ],
    [
      'debt: up to the limit',
      { ...onDebt, products: products({ sold_quantity: 3 }), transactions: [debt(300)] },
      {},
    ],
    [
      'debt: over the limit',
      { ...onDebt, products: products({ sold_quantity: 4 }), transactions: [debt(300.01), cash(99.99)] },
      { 'transactions.0.amount': 'sale.debt_limit' },
    ],
    [
      'debt: over the limit, without the right to exceed it',
      { ...onDebt, exceed_limit: true, products: products({ sold_quantity: 4 }), transactions: [debt(400)] },
      { exceed_limit: 'sale.exceed_forbidden' },
      newSaleFactsOf(),
      { ...director, type: 'employee' },
    ],
    ['foreign cash: worth the total', { transactions: [cash(0.01, 'usd'), cash(80)] }, {}],
    [
      'foreign cash: with change',
      { transactions: [cash(0.02, 'usd')] },
      { transactions: 'cashbox.not_enough_money' },
    ],
    [
      'foreign cash: without a rate',
      { transactions: [cash(1, 'eur')] },
      { 'transactions.0.currency': 'rate.missing' },
    ],
    [
      'foreign money that is not cash',
      { transactions: [{ payment_type: 'card', amount: 1, currency: 'usd' }] },
      { 'transactions.0.currency': 'sale.foreign_not_cash' },
    ],
    [
      'quantity: more than in stock',
      { products: products({ sold_quantity: 6 }), transactions: [cash(600)] },
      { 'products.0.sold_quantity': 'stock.not_enough' },
    ],
    [
      'quantity: more decimals than its unit',
      { products: products({ sold_quantity: 0.5 }), transactions: [cash(50)] },
      { 'products.0.sold_quantity': 'validation.too_many_decimals' },
      newSaleFactsOf({
        quantities: [{ product_id: 1, quantity: ONE / 2, path: 'products.0.sold_quantity' }],
        accuracies: new Map([[1, 0]]),
      }),
    ],
    [
      'references: desk and client that do not exist, all at once',
      { client_id: 9 },
      { cashbox_id: 'validation.not_found', client_id: 'validation.not_found' },
      newSaleFactsOf({}, { found: { ...newSaleFactsOf().basis.found, desk: undefined, hasClient: false } }),
    ],
    [
      'places: a main desk, and another currency than that of sales',
      { currency: 'usd' },
      { cashbox_id: 'sale.cashbox_not_for_sales', currency: 'sale.other_currency' },
      unlessFound({ desk: { company_id: 1, type: 'main' } }),
    ],
    [
      'places: a warehouse of another company',
      {},
      { stock_id: 'sale.other_company' },
      unlessFound({ warehouse: { company_id: 2 } }),
    ],
    ...unlessRight,
    [
      'references: a hold that is closed',
      { hold_id: 4 },
      { hold_id: 'hold.not_in_progress' },
      newSaleFactsOf({ holdIssue: 'hold.not_in_progress' }),
    ],
  ])('%s', ([_, body, codes, facts, actor]) => {
    expect(codesOfDecision(() => decide(body, facts, actor))).toEqual(codes);
  });
});

test('a decision leaves its facts as they were read, and is the same for the same facts', () => {
  const facts = newSaleFactsOf();
  const [first, second] = [decide({}, facts), decide({}, facts)];
  expect(second).toEqual(first);
  expect(facts.basis.stockLevels.free(1)).toBe(5 * ONE);
});

test('a plan has the sale, its goods and payments, and its writes follow from it alone', () => {
  const decision = decide({ ...onDebt, transactions: [cash(150), debt(50)] });
  if (!('plan' in decision)) throw decision.issues.refusal;
  const { plan } = decision;
  expect(plan.sale).toMatchObject({
    id: 50,
    sold_amount: 20_000,
    purchased_amount: 12_000,
    received_amount: 15_000,
  });
  expect(plan.sale.transactions).toMatchObject([{ transfer_id: 60 }, { debt_id: 70 }]);
  expect(plan.goods.lines).toMatchObject([{ id: 80, sold_quantity: 2 * ONE, cost: 12_000 }]);
  const keys = salePlanWrites(TENANT, plan).map(({ key }) => key);
  expect(keys).toHaveLength(8);
  expect(salePlanWrites(TENANT, plan).map(({ key }) => key)).toEqual(keys);
});
