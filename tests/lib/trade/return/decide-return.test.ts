import { describe, expect, test } from 'vitest';
import { type DeskMoney, NO_MONEY } from '#lib/cash/desk/money.ts';
import { StockLevels } from '#lib/stock/stock-levels.ts';
import {
  decideReturn,
  type ReturnFacts,
  ReturnInput,
  returnPlanWrites,
} from '#lib/trade/return/decide-return.ts';
import type { SaleLine } from '#lib/trade/sale/record.ts';
import { ONE } from '#lib/values/quantity.ts';
import { AT, codesOfDecision, director, TENANT } from '#tests/support/decisions.ts';
import { newDebtOf, newSaleOf } from '#tests/support/sales.ts';
import { newLevelOf } from '#tests/support/stock-levels.ts';

/** Five pieces of product 1 for 500.00, costing 60.00 each. */
const line: SaleLine = {
  ...{ id: 80, product_id: 1, bundle_id: null, bundle_key: null, bundle_quantity: null },
  ...{ sold_quantity: 5 * ONE, returned_quantity: 0, price: 10_000, discount: 0 },
  ...{ amount: 50_000, cost: 30_000 },
  batches: [{ id: 1, cost: 6000, currency: 'uzs', at: 0, quantity: 5 * ONE }],
};

const level = newLevelOf();

const sale = newSaleOf({ id: 50, client_id: null, sold_amount: 50_000, received_amount: 50_000 });

/** The desk has 1 000.00 in cash. */
const desk = { id: 2, company_id: 1, type: 'sale', money: { ...NO_MONEY, cash_uzs: 100_000 } } as const;

function factsWith(
  original: Partial<ReturnFacts['original']> = {},
  given: Partial<ReturnFacts> = {},
): ReturnFacts {
  const places = { desk, warehouse: { id: 3, company_id: 1 } };
  const known = {
    sale,
    lines: [line],
    debt: undefined,
    clientSums: undefined,
    origins: [],
    rates: undefined,
  };
  return {
    ids: { return: 90, posting: 60, deposit: 80 },
    original: { ...known, ...places, ...original },
    stockLevels: new StockLevels(TENANT, [level]),
    accuracies: new Map(),
    ...given,
  };
}

const withMoney = (money: Partial<DeskMoney>) =>
  factsWith({ desk: { ...desk, money: { ...NO_MONEY, ...money } } });
const withSale = (given: Parameters<typeof newSaleOf>[0]) => factsWith({ sale: { ...sale, ...given } });

/** Bundle of 2 × product 1 and 1 × product 2, sold twice. */
const inBundle = { ...line, bundle_id: 7, bundle_key: 'bundles.0', bundle_quantity: 2, amount: 25_000 };
const bundled = [
  { ...inBundle, sold_quantity: 4 * ONE },
  { ...inBundle, id: 81, product_id: 2, sold_quantity: 2 * ONE },
];

/** Two pieces with tracking codes. */
const marked = { ...line, sold_quantity: 2 * ONE, marks: ['A', 'B'] };

/** A debt of 200.00 of the sale, of which nothing is repaid. */
const onDebt = {
  sale: { ...sale, client_id: 9, received_amount: 30_000 },
  debt: newDebtOf({ amount: 20_000 }),
};

const usd = { payment_type: 'cash', currency: 'usd', amount: 100, transfer_id: 1, payment_type_id: null };

/** 300.00 paid by 1 USD, the rest by plain cash. */
const inDollars: Partial<ReturnFacts['original']> = {
  sale: {
    ...sale,
    rates: { uzs: 100, usd: 30_000, eur: 0, rub: 0 },
    transactions: [{ ...usd, payment_type: 'cash', currency: 'usd', counted_amount: 30_000, debt_id: null }],
  },
  rates: { uzs: 100, usd: 30_000, eur: 0, rub: 0 },
};

function decide(body: object, facts = factsWith()) {
  return decideReturn(director, ReturnInput.parse(body), facts, { at: AT });
}

/** Returns the codes of the decision's issues; a refusal without a field under its status. */
function codesOf(body: object, facts?: ReturnFacts): Record<string, string> {
  return codesOfDecision(() => decide(body, facts));
}

const cash = (amount: number, currency?: string) => ({ payment_type: 'cash', amount, currency });
const of = (returned_quantity: number, more: object = {}) => ({
  products: [{ id: 80, returned_quantity, reason_type: 'defective', ...more }],
});

/** Quantities of both lines of the bundles. */
const both = (first: number, second: number) => ({
  products: [...of(first).products, ...of(second, { id: 81 }).products],
});
const ofBundle = {
  'products.0.returned_quantity': 'return.bundle_part',
  'products.1.returned_quantity': 'return.bundle_part',
};

describe('a return is decided without a service or a table', () => {
  test.for<[string, object, Record<string, string>, ReturnFacts?]>([
    ['all that remains', { transactions: [cash(500)] }, {}],
    ['a part of a line', { ...of(2), transactions: [cash(200)] }, {}],
    ['quantity: more than remains', of(6), { 'products.0.returned_quantity': 'return.too_much' }],
    [
      'quantity: more than remains after an earlier return',
      of(2),
      { 'products.0.returned_quantity': 'return.too_much' },
      factsWith({ lines: [{ ...line, returned_quantity: 4 * ONE }] }),
    ],
    [
      'quantity: more decimals than its unit',
      of(0.5),
      { 'products.0.returned_quantity': 'validation.too_many_decimals' },
      factsWith({}, { accuracies: new Map([[1, 0]]) }),
    ],
    [
      'nothing remains',
      {},
      { 400: 'return.nothing_left' },
      factsWith({ lines: [{ ...line, returned_quantity: 5 * ONE }] }),
    ],
    ['a line of another sale', of(1, { id: 81 }), { 'products.0.id': 'validation.not_found' }],
    ['bundle: whole', { transactions: [cash(500)] }, {}, factsWith({ lines: bundled }, bothLevels())],
    [
      'bundle: a line of it alone (Contract 9.68)',
      of(2),
      { 'products.0.returned_quantity': 'return.bundle_part' },
      factsWith({ lines: bundled }, bothLevels()),
    ],
    [
      'bundle: its lines by different shares (Contract 9.68)',
      both(2, 2),
      ofBundle,
      factsWith({ lines: bundled }, bothLevels()),
    ],
    [
      'bundle: half of one (Contract 9.68)',
      both(1, 0.5),
      ofBundle,
      factsWith({ lines: bundled }, bothLevels()),
    ],
    [
      'bundle: one of two (Contract 9.24)',
      { ...both(2, 1), transactions: [cash(250)] },
      {},
      factsWith({ lines: bundled }, bothLevels()),
    ],
    [
      'tracking codes: all of a whole line need not be named',
      { transactions: [cash(500)] },
      {},
      factsWith({ lines: [marked] }),
    ],
    [
      'tracking codes: of a part they are named',
      of(1),
      { 'products.0.marks': 'sale.marks_count' },
      factsWith({ lines: [marked] }),
    ],
    [
      'tracking codes: one that was not sold',
      of(1, { marks: ['C'] }),
      { 'products.0.marks.0': 'validation.not_found' },
      factsWith({ lines: [marked] }),
    ],
    ['tracking codes: of goods without', of(1, { marks: ['A'] }), { 'products.0.marks': 'sale.not_marked' }],
    [
      'payout: less than is due',
      { transactions: [cash(499.99)] },
      { transactions: 'return.payments_differ' },
    ],
    [
      'payout: more than is due',
      { transactions: [cash(500.01)] },
      { transactions: 'return.payments_differ' },
    ],
    [
      'payout: more than the desk has',
      { transactions: [cash(500)] },
      { 'transactions.0.amount': 'cashbox.not_enough_money' },
      withMoney({ cash_uzs: 49_999 }),
    ],
    [
      'payout: more than the desk has of that type',
      { transactions: [{ payment_type: 'card', amount: 500 }] },
      { 'transactions.0.amount': 'cashbox.not_enough_money' },
    ],
    [
      'payout: not judged while the goods are wrong',
      { ...of(6), transactions: [cash(1)] },
      { 'products.0.returned_quantity': 'return.too_much' },
    ],
    [
      'payout: no more than was received',
      { transactions: [cash(400)] },
      {},
      withSale({ received_amount: 40_000 }),
    ],
    ['debt: closed first, only the rest is paid out', { transactions: [cash(300)] }, {}, factsWith(onDebt)],
    [
      'debt: paid out although it is open',
      { transactions: [cash(500)] },
      { transactions: 'return.payments_differ' },
      factsWith(onDebt),
    ],
    ['foreign cash: back as it came', { transactions: [cash(1, 'usd'), cash(200)] }, {}, dollars()],
    [
      'foreign cash: more than came',
      { transactions: [cash(1.01, 'usd'), cash(197)] },
      { 'transactions.0.amount': 'return.too_much_foreign' },
      dollars(),
    ],
    [
      'foreign cash: of a currency that did not come',
      { transactions: [cash(1, 'eur'), cash(500)] },
      { 'transactions.0.currency': 'return.not_paid_in' },
      dollars(),
    ],
    [
      'credit: what came by bank goes back by bank',
      { transactions: [cash(500)] },
      { transactions: 'return.credit_payments_differ' },
      withSale({ source_type: 'credit', transactions: [bank(40_000)] }),
    ],
    [
      'credit: by bank, and the rest in cash',
      { transactions: [{ payment_type: 'bank', amount: 400 }, cash(100)] },
      {},
      factsWith({
        sale: { ...sale, source_type: 'credit', transactions: [bank(40_000)] },
        desk: { ...desk, money: { ...desk.money, bank_uzs: 40_000 } },
      }),
    ],
    [
      'places: desk and warehouse of the sale are gone',
      {},
      { cashbox_id: 'return.cashbox_gone', stock_id: 'return.stock_gone' },
      factsWith({ desk: undefined, warehouse: undefined }),
    ],
    [
      'places: named ones that do not exist, with wrong goods, all at once',
      { cashbox_id: 4, stock_id: 5, ...of(6) },
      {
        cashbox_id: 'validation.not_found',
        stock_id: 'validation.not_found',
        'products.0.returned_quantity': 'return.too_much',
      },
      factsWith({ desk: undefined, warehouse: undefined }),
    ],
    [
      'places: a main desk',
      { cashbox_id: 2 },
      { cashbox_id: 'sale.cashbox_not_for_sales' },
      factsWith({ desk: { ...desk, type: 'main' } }),
    ],
  ])('%s', ([_, body, codes, facts]) => {
    expect(codesOf(body, facts)).toEqual(codes);
  });
});

function bothLevels(): Partial<ReturnFacts> {
  return { stockLevels: new StockLevels(TENANT, [level, { ...level, id: 2, product_id: 2 }]) };
}

function bank(amount: number) {
  const paid = { payment_type: 'bank', payment_type_id: null, amount, counted_amount: amount } as const;
  return { ...paid, currency: 'uzs' as const, transfer_id: 1, debt_id: null };
}

function dollars(): ReturnFacts {
  return factsWith({ ...inDollars, desk: { ...desk, money: { ...desk.money, cash_usd: 200 } } });
}

test('a decision on a return leaves its facts as they were read, and is the same for the same facts', () => {
  const facts = factsWith();
  const body = { transactions: [cash(500)] };
  const [first, second] = [decide(body, facts), decide(body, facts)];
  expect(second).toEqual(first);
  expect(facts.stockLevels.free(1)).toBe(0);
});

test('a plan has the return and its sale, and its writes follow from it alone', () => {
  const decision = decide({ ...of(2), transactions: [cash(200)] });
  if (!('plan' in decision)) throw decision.issues.refusal;
  const { plan } = decision;
  expect(plan.returned.made).toMatchObject({ id: 90, amount: 20_000, transactions: [{ transfer_id: 60 }] });
  expect(plan.returned.made.products).toMatchObject([{ returned_quantity: 2 * ONE, cost: 12_000 }]);
  expect(plan.returned.sale).toMatchObject({ status: 'partial_returned', returned_amount: 20_000 });
  expect(plan.paid.money.cash_uzs).toBe(80_000);
  const keys = returnPlanWrites(TENANT, plan).map(({ key }) => key);
  expect(returnPlanWrites(TENANT, plan).map(({ key }) => key)).toEqual(keys);
  expect(new Set(keys.map(({ pk, sk }) => `${pk} ${sk}`)).size).toBe(keys.length);
});
