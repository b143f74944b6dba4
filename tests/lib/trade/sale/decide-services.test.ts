import { describe, expect, test } from 'vitest';
import type { ServiceCard } from '#lib/catalog/service/service.ts';
import { decideSale, type SaleFacts } from '#lib/trade/checkout/decide-sale.ts';
import { SaleInput } from '#lib/trade/sale/input.ts';
import { ONE } from '#lib/values/quantity.ts';
import { AT, codesOfDecision, director } from '#tests/support/decisions.ts';
import { newSaleFactsOf, SOME_RATES } from '#tests/support/sale-contexts.ts';

/** Service 5 at 50.00 that costs 20.00; its price is fixed. */
const card: ServiceCard = {
  ...{ id: 5, company_id: 1, creator_id: 1, created_at: 0, updated_at: 0, is_deleted: false },
  ...{ name: 'Repair', service_unit_id: 1, price: 5000, cost: 2000, external_id: null },
};
const plain = { currency: 'uzs', rates: SOME_RATES, canDiscount: true } as const;

type Context = Partial<SaleFacts['basis']>;

const factsWith = (service: Partial<ServiceCard> = {}, context: Context = {}) =>
  newSaleFactsOf({}, { services: new Map([[5, { ...card, currency: 'uzs', ...service }]]), ...context });

/** Decides the sale of a body, without goods of its own; product 1 is 100.00, at least 80.00. */
function decide(given: object, paid: number, facts = factsWith()) {
  const transactions = paid > 0 ? [{ payment_type: 'cash', amount: paid }] : [];
  const body = { cashbox_id: 2, stock_id: 3, currency: 'uzs', products: [], transactions, ...given };
  return decideSale(director, SaleInput.parse(body), facts, { at: AT });
}

const products = [{ product_id: 1, sold_quantity: 1 }];
const service = (given: object = {}) => ({ services: [{ service_id: 5, ...given }] });
const typed = (isClients: boolean, canNamePriceType: boolean): Context => ({
  pricing: { ...plain, priceType: { id: 4, isClients }, canNamePriceType },
});

describe('services, discounts of a whole sale and types of prices', () => {
  test.for<[string, object, number, Record<string, string>, SaleFacts?]>([
    ['a service alone (Part 5, 5A.1 (1))', service(), 50, {}],
    ['a service beside goods (Part 5, 5A.1 (1))', { products, ...service() }, 150, {}],
    ['neither goods nor services', {}, 0, { products: 'sale.no_lines' }],
    [
      'a service that does not exist (Part 5, 5A.1 (2))',
      { services: [{ service_id: 6 }] },
      50,
      { 'services.0.service_id': 'validation.not_found' },
    ],
    [
      'a deleted service (Part 5, 5A.1 (2))',
      service(),
      50,
      { 'services.0.service_id': 'validation.not_found' },
      factsWith({ is_deleted: true }),
    ],
    [
      'a service at another price (Part 5, 5A.1 (2))',
      service({ price: 49 }),
      49,
      { 'services.0.price': 'sale.price_fixed' },
    ],
    [
      'a service with is_free_price at another price (Part 5, 5A.1 (2))',
      service({ price: 1 }),
      1,
      {},
      factsWith({ is_free_price: true }),
    ],
    ['a service with a discount (Part 5, 5A.1 (2))', service({ discount: 49 }), 1, {}],
    [
      'a service with a discount over its amount (Part 5, 5A.1 (2))',
      service({ discount: 50.01 }),
      0.01,
      { 'services.0.discount': 'sale.discount_too_large' },
    ],
    [
      'a service with a discount, without the right (Part 5, 5A.1 (2))',
      service({ discount: 1 }),
      49,
      { 'services.0.discount': 'sale.discount_forbidden' },
      factsWith({}, { pricing: { ...plain, canDiscount: false } }),
    ],
    [
      'a service in a currency without a rate (Part 5, 5A.1 (3))',
      service(),
      50,
      { 'services.0.price': 'rate.missing' },
      factsWith({ currency: 'eur' }),
    ],
    [
      'a discount of the whole, down to the minimum of a line (Part 5, 5A.14 (1))',
      { products, ...service(), discount: { percent: 20 } },
      120,
      {},
    ],
    [
      'a discount of the whole, under the minimum of a line (Part 5, 5A.14 (1))',
      { products, ...service(), discount: { amount: 30.02 } },
      119.98,
      { discount: 'sale.cheque_discount' },
    ],
    [
      'a discount of more than the whole (Part 5, 5A.14 (1))',
      { ...service(), discount: { amount: 50.01 } },
      0.01,
      { discount: 'sale.cheque_discount' },
    ],
    [
      'a discount of the whole, without the right (Part 5, 5A.14 (1))',
      { ...service(), discount: { amount: 1 } },
      49,
      { discount: 'sale.discount_forbidden' },
      factsWith({}, { pricing: { ...plain, canDiscount: false } }),
    ],
    [
      'a price type of the client (Part 5, 5A.14 (2))',
      { products },
      100,
      {},
      factsWith({}, typed(true, false)),
    ],
    [
      'another price type, without the right (Part 5, 5A.14 (2))',
      { products, price_type_id: 4 },
      100,
      { price_type_id: 'price_type.forbidden' },
      factsWith({}, typed(false, false)),
    ],
    [
      'another price type, with the right (Part 5, 5A.14 (2))',
      { products, price_type_id: 4 },
      100,
      {},
      factsWith({}, typed(false, true)),
    ],
  ])('%s', ([_, given, paid, codes, facts]) => {
    expect(codesOfDecision(() => decide(given, paid, facts))).toEqual(codes);
  });
});

test('a discount of the whole is spread by amounts, and services keep their cost (Part 5, 5A.14 (1))', () => {
  const decision = decide({ products, ...service({ quantity: 2 }), discount: { percent: 10 } }, 180);
  if (!('plan' in decision)) throw decision.issues.refusal;
  const { sale, goods } = decision.plan;
  expect(goods.lines).toMatchObject([{ id: 80, discount: 1000, amount: 9000 }]);
  expect(goods.services).toMatchObject([
    { id: 81, quantity: 2 * ONE, discount: 1000, amount: 9000, cost: 4000 },
  ]);
  expect(sale).toMatchObject({ sold_amount: 18_000, purchased_amount: 10_000, discount_amount: 2000 });
  expect(sale).toMatchObject({ cheque_discount: { percent: 1000, amount: 2000 } });
});
