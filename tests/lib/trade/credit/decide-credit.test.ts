import { describe, expect, test } from 'vitest';
import { CreditInput } from '#lib/trade/credit/agreement.ts';
import { type CreditFacts, creditWrites, decideCredit } from '#lib/trade/credit/decide-credit.ts';
import { ONE } from '#lib/values/quantity.ts';
import { AT, codesOfDecision, TENANT } from '#tests/support/decisions.ts';
import { directorAs } from '#tests/support/family.ts';
import { newProductOf } from '#tests/support/products.ts';
import { newSaleContextOf } from '#tests/support/sale-contexts.ts';

const system = { ...directorAs(1, 1), username: 'Credit system' };

function factsWith(
  given: Partial<CreditFacts> = {},
  context: Partial<CreditFacts['basis']> = {},
): CreditFacts {
  return {
    ids: { sale: 50, posting: 60, debt: 70, deposit: 80 },
    basis: newSaleContextOf(context),
    client: { id: 9, bonus_tariff_id: null, sums: undefined, writes: [] },
    ...{ quantities: [], accuracies: new Map() },
    ...given,
  };
}

/** Two pieces of product 1 at 100.00, of which 50.00 are paid at once. */
const body = {
  ...{ external_id: 'A-1', agreement_number: 'K-15/26', agreement_date: '2026-05-31', months: 12 },
  ...{ initial_payment: 50, stock_id: 3, cashbox_id: 2, currency: 'uzs' },
  client: { full_name: 'Nodira', phone: '998901112233' },
  products: [{ product_id: 1, quantity: 2, price: 100 }],
};

function decide(given: object = {}, facts = factsWith()) {
  return decideCredit(system, CreditInput.parse({ ...body, ...given }), facts, AT);
}

const products = (line: object) => [{ product_id: 1, quantity: 2, price: 100, ...line }];
const cardOf = (given: Parameters<typeof newProductOf>[0]) =>
  factsWith({}, { products: new Map([[1, newProductOf({ id: 1, ...given })]]) });
const { found } = newSaleContextOf();

describe('a sale on credit is decided without a service or a table', () => {
  test.for<[string, object, Record<string, string>, CreditFacts?]>([
    ['as agreed (Contract 3)', {}, {}],
    ['the whole price on credit (Contract 3)', { initial_payment: 0 }, {}],
    [
      'the whole price paid at once (Contract 3)',
      { initial_payment: 200 },
      { initial_payment: 'validation.not_below' },
    ],
    [
      'price: that of the agreement, without is_free_price (Contract 9.108)',
      { products: products({ price: 123 }) },
      {},
      cardOf({ is_free_price: false }),
    ],
    [
      'price: the minimum (Contract 9.108)',
      { products: products({ price: 80 }) },
      {},
      cardOf({ min_price: 8000 }),
    ],
    [
      'price: under the minimum (Contract 9.108)',
      { products: products({ price: 79.99 }) },
      { 'products.0.price': 'sale.price_too_low' },
      cardOf({ min_price: 8000 }),
    ],
    [
      'cash handed over: less than the initial payment (Part 5, 5B.6)',
      { tendered_amount: 49.99 },
      { tendered_amount: 'sale.tendered_too_little' },
    ],
    [
      'cash handed over: for no initial payment (Part 5, 5B.6)',
      { tendered_amount: 10, initial_payment: 0 },
      { tendered_amount: 'sale.tendered_not_cash' },
    ],
    ['cash handed over: more than the initial payment (Part 5, 5B.6)', { tendered_amount: 60 }, {}],
    [
      'by bank at a company that takes none (Contract 9.116)',
      {},
      {},
      factsWith({}, { takesPayments: false }),
    ],
    [
      'quantity: more than in stock (Contract 4)',
      { products: products({ quantity: 6 }) },
      { 'products.0.quantity': 'stock.not_enough' },
    ],
    [
      'quantity: more decimals than its unit (Contract 9.112)',
      { products: products({ quantity: 1.5 }) },
      { 'products.0.quantity': 'validation.too_many_decimals' },
      factsWith({
        quantities: [{ product_id: 1, quantity: 1.5 * ONE, path: 'products.0.quantity' }],
        accuracies: new Map([[1, 0]]),
      }),
    ],
    [
      'marks: as many as pieces (Part 4, 4.6, 4)',
      { products: products({ marks: ['A'] }) },
      { 'products.0.marks': 'sale.marks_count' },
      cardOf({ is_marked: true }),
    ],
    [
      'references: desk, warehouse and product that do not exist; the currency is not judged without a desk',
      { currency: 'usd' },
      {
        ...{ cashbox_id: 'validation.not_found', stock_id: 'validation.not_found' },
        'products.0.product_id': 'validation.not_found',
      },
      factsWith({}, { found: { ...found, desk: undefined, warehouse: undefined }, products: new Map() }),
    ],
    ['currency: another than that of sales', { currency: 'usd' }, { currency: 'sale.other_currency' }],
    [
      'a total over the limit of an amount (Contract 8)',
      { products: products({ quantity: 5, price: 999_999_999_999 }) },
      { products: 'sale.amount_too_large', 'products.0.quantity': 'sale.amount_too_large' },
    ],
  ])('%s', ([_, given, codes, facts]) => {
    expect(codesOfDecision(() => decide(given, facts))).toEqual(codes);
  });
});

test('a plan on credit brings the first payment in cash and the rest by bank (Contract 3)', () => {
  const facts = factsWith();
  const decision = decide({}, facts);
  if (!('plan' in decision)) throw decision.issues.refusal;
  const { sale } = decision.plan;
  expect(sale).toMatchObject({ id: 50, client_id: 9, source_type: 'credit', sold_amount: 20_000 });
  expect(sale.source_data).toMatchObject({
    system: 'Credit system',
    agreement_number: 'K-15/26',
    months: 12,
  });
  expect(sale.transactions).toMatchObject([
    { payment_type: 'cash', amount: 5000, transfer_id: 60 },
    { payment_type: 'bank', amount: 15_000, transfer_id: 61 },
  ]);
  expect(facts.basis.stockLevels.free(1)).toBe(5 * ONE);
  expect(decide({}, facts)).toEqual(decision);
  const keys = creditWrites(TENANT, decision.plan).map(({ key: { pk, sk } }) => `${pk} ${sk}`);
  expect(new Set(keys).size).toBe(keys.length);
});
