import { describe, expect, test } from 'vitest';
import type { Staff } from '#lib/auth/actor.ts';
import { familyTenant } from '#lib/table/keys.ts';
import { decideSale, type SaleFacts, salePlanWrites } from '#lib/trade/checkout/decide-sale.ts';
import { SaleInput } from '#lib/trade/sale/input.ts';
import { ONE } from '#lib/values/quantity.ts';
import { codesOfDecision } from '#tests/support/decisions.ts';
import { directorAs } from '#tests/support/family.ts';
import { newSaleContextOf } from '#tests/support/sale-contexts.ts';

const AT = Date.parse('2026-06-01T10:00:00Z');
const TENANT = familyTenant(1);
const DUE = '2026-07-01';

const director = directorAs(1, 1);

const noDeposits = { deposit_uzs: 0, deposit_usd: 0, deposit_eur: 0, deposit_rub: 0 };
const noBalances = { debt_uzs: 0, debt_usd: 0, debt_eur: 0, debt_rub: 0, ...noDeposits, is_deleted: false };

/** The client owes nothing, and may owe up to 300.00. */
const balances = { ...noBalances, debt_limit_uzs: 30_000, bonuses: {}, bonus_version: 0 };

function factsWith(given: Partial<SaleFacts> = {}, context: Partial<SaleFacts['basis']> = {}): SaleFacts {
  return {
    ids: { sale: 50, posting: 60, debt: 70, deposit: 80 },
    basis: newSaleContextOf({ clientSums: balances, ...context }),
    seller: director,
    quantities: [],
    accuracies: new Map(),
    ...given,
  };
}

const cash = (amount: number, currency?: string) => ({ payment_type: 'cash', amount, currency });
const debt = (amount: number) => ({ payment_type: 'debt', amount });
const onDebt = { client_id: 9, due_date: DUE };

function decide(body: object, facts = factsWith(), actor: Staff = director) {
  const place = { cashbox_id: 2, stock_id: 3, currency: 'uzs' };
  const sale = { products: [{ product_id: 1, sold_quantity: 2 }], transactions: [cash(200)] };
  return decideSale(actor, SaleInput.parse({ ...place, ...sale, ...body }), facts, { at: AT });
}

const products = (line: object) => [{ product_id: 1, sold_quantity: 2, ...line }];

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
      factsWith({}, { pricing: { ...factsWith().basis.pricing, canDiscount: false } }),
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
      factsWith({}, { takesPayments: false }),
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
      factsWith(),
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
      factsWith({
        quantities: [{ product_id: 1, quantity: ONE / 2, path: 'products.0.sold_quantity' }],
        accuracies: new Map([[1, 0]]),
      }),
    ],
    [
      'references: desk and client that do not exist, all at once',
      { client_id: 9 },
      { cashbox_id: 'validation.not_found', client_id: 'validation.not_found' },
      factsWith({}, { found: { ...factsWith().basis.found, desk: undefined, hasClient: false } }),
    ],
    [
      'references: a hold that is closed',
      { hold_id: 4 },
      { hold_id: 'hold.not_in_progress' },
      factsWith({ holdIssue: 'hold.not_in_progress' }),
    ],
  ])('%s', ([_, body, codes, facts, actor]) => {
    expect(codesOfDecision(() => decide(body, facts, actor))).toEqual(codes);
  });
});

test('a decision leaves its facts as they were read, and is the same for the same facts', () => {
  const facts = factsWith();
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
