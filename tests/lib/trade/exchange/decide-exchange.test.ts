import { describe, expect, test } from 'vitest';
import { NO_MONEY } from '#lib/cash/desk/money.ts';
import { StockLevels } from '#lib/stock/stock-levels.ts';
import { decideExchange, exchangeWrites } from '#lib/trade/exchange/decide-exchange.ts';
import { type ExchangeFacts, ExchangeInput } from '#lib/trade/exchange/sides.ts';
import type { SaleLine } from '#lib/trade/sale/record.ts';
import { ONE } from '#lib/values/quantity.ts';
import { AT, codesOfDecision, director, TENANT } from '#tests/support/decisions.ts';
import { newProductOf } from '#tests/support/products.ts';
import { NO_BALANCES, newSaleContextOf } from '#tests/support/sale-contexts.ts';
import { newDebtOf, newSaleOf } from '#tests/support/sales.ts';
import { newLevelOf } from '#tests/support/stock-levels.ts';

/** Two pieces of product 1 for 200.00, costing 60.00 each. */
const line: SaleLine = {
  ...{ id: 70, product_id: 1, bundle_id: null, bundle_key: null, bundle_quantity: null },
  ...{ sold_quantity: 2 * ONE, returned_quantity: 0, price: 10_000, discount: 0 },
  ...{ amount: 20_000, cost: 12_000 },
  batches: [{ id: 1, cost: 6000, currency: 'uzs', at: 0, quantity: 2 * ONE }],
};

const sale = newSaleOf({
  ...{ id: 40, stock_id: 3, cashbox_id: 2, client_id: null },
  ...{ sold_amount: 20_000, received_amount: 20_000 },
});

/** The desk has 30.00 in cash. */
const desk = { id: 2, company_id: 1, type: 'sale', money: { ...NO_MONEY, cash_uzs: 3000 } } as const;

/** Nothing of product 1 is left in the warehouse; five pieces of product 2 are. */
const levels = () =>
  new StockLevels(TENANT, [
    newLevelOf(),
    newLevelOf({
      ...{ id: 2, product_id: 2, quantity: 5 * ONE },
      batches: [{ id: 2, cost: 5000, currency: 'uzs', at: 0, left: 5 * ONE }],
    }),
  ]);

interface Given {
  readonly original?: Partial<ExchangeFacts['original']>;
  readonly context?: Partial<ExchangeFacts['basis']>;
  readonly accuracies?: ExchangeFacts['accuracies'];
}

function factsWith({ original, context, accuracies = new Map() }: Given = {}): ExchangeFacts {
  const stockLevels = levels();
  const products = new Map([1, 2].map((id) => [id, newProductOf({ id })]));
  const known = {
    sale,
    lines: [line],
    debt: undefined,
    clientSums: undefined,
    origins: [],
    rates: undefined,
  };
  return {
    ids: { sale: 50, posting: 60, debt: 70, deposit: 80 },
    original: { ...known, desk, warehouse: { id: 3, company_id: 1 }, ...original },
    returnId: 90,
    basis: newSaleContextOf({ desk, products, stockLevels, ...context }),
    back: stockLevels,
    accuracies,
  };
}

const withSale = (given: Parameters<typeof newSaleOf>[0], original: Given['original'] = {}) =>
  factsWith({ original: { sale: { ...sale, ...given }, ...original } });
const costing = (sale_price: number) =>
  factsWith({ context: { products: new Map([[2, newProductOf({ id: 2, sale_price })]]) } });

/** Builds a body that gives product 2 for one piece of product 1. */
function decide(body: object = {}, facts = factsWith()) {
  const input = ExchangeInput.parse({
    ...{ company_id: 1, cashbox_id: 2, stock_id: 3, currency: 'uzs' },
    returned_products: back(1),
    products: [{ product_id: 2, sold_quantity: 1 }],
    ...body,
  });
  return decideExchange(director, input, facts, { at: AT });
}

const back = (returned_quantity: number, more: object = {}) => [
  { id: 70, returned_quantity, reason_type: 'defective', ...more },
];
const paid = (payment_type: string, amount: number, more: object = {}) => ({
  transactions: [{ payment_type, amount, ...more }],
});
const { found } = newSaleContextOf();

/** One bundle of 2 × product 1 and 1 × product 2. */
const inBundle = { ...line, bundle_id: 7, bundle_key: 'bundles.0', bundle_quantity: 1, amount: 10_000 };
const bundled = [inBundle, { ...inBundle, id: 71, product_id: 2, sold_quantity: ONE }];

/** A debt of 150.00 of the sale, of which nothing is repaid. */
const lent = {
  sale: { ...sale, client_id: 9, received_amount: 5000 },
  ...{ debt: newDebtOf({ client_id: 9, amount: 15_000 }), clientSums: { ...NO_BALANCES, debt_uzs: 15_000 } },
};

/** Twenty earlier sales on debt that the sale was exchanged from. */
const origins = Array.from({ length: 20 }, (_, index) => ({ sale_id: index, debt_id: index, client_id: 9 }));

describe('an exchange is decided without a service or a table', () => {
  test.for<[string, object, Record<string, string>, ExchangeFacts?]>([
    ['evenly', {}, {}],
    ['evenly, and something is paid', paid('cash', 0.01), { transactions: 'sale.payments_differ' }],
    ['surcharge: exact', paid('card', 30), {}, costing(13_000)],
    ['surcharge: too little', paid('card', 29.99), { transactions: 'sale.payments_differ' }, costing(13_000)],
    ['surcharge: too much', paid('card', 30.01), { transactions: 'sale.payments_differ' }, costing(13_000)],
    [
      'surcharge: in another currency (Part 4, 4.6, 1)',
      paid('cash', 30, { currency: 'usd' }),
      { 'transactions.0.currency': 'exchange.foreign_surcharge' },
      costing(13_000),
    ],
    [
      'surcharge: on debt, without client and due date',
      paid('debt', 30),
      { client_id: 'sale.debt_without_client', due_date: 'sale.debt_without_due_date' },
      costing(13_000),
    ],
    [
      'surcharge: on debt, due before today',
      { ...paid('debt', 30), client_id: 9, due_date: '2026-05-31' },
      { due_date: 'validation.in_past' },
      factsWith({
        context: {
          clientSums: NO_BALANCES,
          products: new Map([[2, newProductOf({ id: 2, sale_price: 13_000 })]]),
        },
      }),
    ],
    [
      'surcharge: by bank at a company that takes none (Contract 9.116)',
      paid('bank', 30),
      { 'transactions.0.payment_type': 'sale.bank_not_taken' },
      factsWith({
        context: {
          takesPayments: false,
          products: new Map([[2, newProductOf({ id: 2, sale_price: 13_000 })]]),
        },
      }),
    ],
    [
      'surcharge: less handed over than paid (Part 5, 5B.6)',
      paid('cash', 30, { tendered_amount: 29 }),
      { 'transactions.0.tendered_amount': 'sale.tendered_too_little' },
      costing(13_000),
    ],
    ['excess: exact', paid('cash', 30), {}, costing(7000)],
    ['excess: too little', paid('cash', 29.99), { transactions: 'return.payments_differ' }, costing(7000)],
    [
      'excess: more than the desk has',
      paid('cash', 40),
      { 'transactions.0.amount': 'cashbox.not_enough_money' },
      costing(6000),
    ],
    [
      'excess: by bank, more than the desk has',
      paid('bank', 30),
      { 'transactions.0.amount': 'cashbox.not_enough_money' },
      costing(7000),
    ],
    [
      'excess: as a debt',
      { ...paid('debt', 30), client_id: 9, due_date: '2099-01-31' },
      { 'transactions.0.payment_type': 'exchange.debt_payout' },
      factsWith({
        context: {
          clientSums: NO_BALANCES,
          products: new Map([[2, newProductOf({ id: 2, sale_price: 7000 })]]),
        },
      }),
    ],
    [
      'excess: as cash handed over (Part 5, 5B.6)',
      paid('cash', 30, { tendered_amount: 30 }),
      { 'transactions.0.tendered_amount': 'exchange.tendered_payout' },
      costing(7000),
    ],
    [
      'excess: closes the debt first (Contract 9.25)',
      {},
      {},
      factsWith({
        original: lent,
        context: { products: new Map([[2, newProductOf({ id: 2, sale_price: 7000 })]]) },
      }),
    ],
    [
      'returned: more than remains (Contract 9.22)',
      { returned_products: back(3) },
      { 'returned_products.0.returned_quantity': 'return.too_much' },
    ],
    [
      'returned: a part of a bundle (Contract 9.24)',
      { returned_products: back(1) },
      { 'returned_products.0.returned_quantity': 'return.bundle_part' },
      factsWith({ original: { lines: bundled } }),
    ],
    [
      'returned: more decimals than the unit (Contract 9.112)',
      { returned_products: back(0.5), ...paid('card', 50) },
      { 'returned_products.0.returned_quantity': 'validation.too_many_decimals' },
      factsWith({ accuracies: new Map([[1, 0]]) }),
    ],
    ['sold: what has just come back', { products: [{ product_id: 1, sold_quantity: 1 }] }, {}],
    [
      'sold: more than has come back',
      { products: [{ product_id: 1, sold_quantity: 2 }], ...paid('card', 100) },
      { 'products.0.sold_quantity': 'stock.not_enough' },
    ],
    ['sold: nothing (Contract 9.26)', { products: [] }, { products: 'sale.no_lines' }],
    [
      'places: desk and warehouse of another company than the sale (Contract 9.26)',
      {},
      { cashbox_id: 'exchange.other_company', stock_id: 'exchange.other_company' },
      withSale({ company_id: 2 }),
    ],
    [
      'places: another company than the desk (Contract 9.26)',
      { company_id: 2 },
      { company_id: 'exchange.not_cashbox_company' },
    ],
    [
      'places: a desk and a warehouse that do not exist',
      {},
      { cashbox_id: 'validation.not_found', stock_id: 'validation.not_found' },
      factsWith({ context: { found: { ...found, desk: undefined, warehouse: undefined } } }),
    ],
    [
      'currency: another than the sale’s (Contract 9.115)',
      { currency: 'usd' },
      { currency: 'sale.other_currency' },
    ],
    [
      'all failing fields at once, each by itself',
      {
        returned_products: [...back(3), { id: 99, reason_type: 'defective', returned_quantity: 1 }],
        products: [
          { product_id: 2, sold_quantity: 11 },
          { product_id: 99, sold_quantity: 1 },
        ],
        ...{ client_id: 77, currency: 'usd' },
      },
      {
        ...{ client_id: 'validation.not_found', currency: 'sale.other_currency' },
        'products.1.product_id': 'validation.not_found',
        'returned_products.0.returned_quantity': 'return.too_much',
        'returned_products.1.id': 'validation.not_found',
      },
      factsWith({ context: { found: { ...found, hasClient: false } } }),
    ],
    [
      'deposit: to another client than the one it is of (Part 5, 5A.6, 3)',
      {},
      { client_id: 'exchange.deposit_of_client' },
      withSale(
        {
          ...{ client_id: 9, received_amount: 20_000 },
          transactions: [
            {
              ...{ payment_type: 'deposit', payment_type_id: null, currency: 'uzs', amount: 20_000 },
              ...{ counted_amount: 20_000, transfer_id: null, debt_id: null },
            },
          ],
        },
        { clientSums: NO_BALANCES },
      ),
    ],
    [
      'after twenty exchanges on debt',
      {},
      { 400: 'exchange.too_many_debts' },
      factsWith({ original: { ...lent, sale: { ...lent.sale, origins } } }),
    ],
  ])('%s', ([_, body, codes, facts]) => {
    expect(codesOfDecision(() => decide(body, facts))).toEqual(codes);
  });
});

test('the difference of an exchange is paid by no bonuses (Part 2, "Sales")', () => {
  const input = { company_id: 1, cashbox_id: 2, stock_id: 3, currency: 'uzs', returned_products: back(1) };
  const { error } = ExchangeInput.safeParse({ ...input, ...paid('bonus', 30) });
  expect(error?.issues.map(({ path }) => path.join('.'))).toEqual(['transactions.0.payment_type']);
});

test('a decision on an exchange leaves its facts as they were read, and is the same for the same facts', () => {
  const facts = factsWith();
  const [first, second] = [decide({}, facts), decide({}, facts)];
  expect(second).toEqual(first);
  expect([facts.back.free(1), facts.basis.stockLevels.free(2)]).toEqual([0, 5 * ONE]);
});

test('a plan of an exchange passes the money of the returned goods on to the new sale (Contract 9.25)', () => {
  const decision = decide();
  if (!('plan' in decision)) throw decision.issues.refusal;
  const { returned, sold } = decision.plan;
  expect(returned.made).toMatchObject({ id: 90, kind: 'exchange', exchanged_amount: 10_000, amount: 10_000 });
  expect(returned.sale).toMatchObject({
    status: 'partial_returned',
    returned_amount: 10_000,
    paid_out_amount: 0,
  });
  expect(sold.sale).toMatchObject({ id: 50, exchange_of_sale_id: 40, received_amount: 10_000 });
  const keys = exchangeWrites(TENANT, decision.plan).map(({ key: { pk, sk } }) => `${pk} ${sk}`);
  expect(new Set(keys).size).toBe(keys.length);
});
