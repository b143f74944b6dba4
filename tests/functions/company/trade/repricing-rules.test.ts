import { beforeEach, expect, test } from 'vitest';
import { translate } from '#lib/values/message.ts';
import { LOCALES } from '#lib/values/text.ts';
import { newCompany, newEmployee } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { errorsOf, NOT_FOUND, REQUIRED } from '#tests/support/records.ts';
import {
  addToDraft,
  cardOf,
  historyOf,
  PRODUCTS,
  REPRICINGS,
  rateOf,
  reprice,
  repricingRow,
} from '#tests/support/repricing.ts';
import { newGoods, newShop, type Shop, setRate } from '#tests/support/shop.ts';

const DUPLICATE = translate('ru', { key: 'validation.duplicate' });

let shop: Shop;

beforeEach(async () => {
  shop = await newShop();
});

test('the company must be open to the caller, and each product be there: all failing fields at once', async () => {
  const [water, gone] = [await newGoods(shop, []), await newGoods(shop, [])];
  await call(`DELETE ${PRODUCTS}/${gone}`, { token: shop.director });
  const other = await newCompany(null);
  const json = { company_id: other, products: [repricingRow(water), repricingRow(gone), repricingRow(99)] };
  expect(await errorsOf(`POST ${REPRICINGS}`, shop.director, json)).toEqual({
    company_id: NOT_FOUND,
    'products.1.product_id': NOT_FOUND,
    'products.2.product_id': NOT_FOUND,
  });
  expect(await cardOf(shop, water)).toMatchObject({ sale_price: 5000 });
  const employee = await newEmployee(shop, ['company.trade.recalculation-batch.store'], {
    company_id: await newCompany(shop.companyId),
    family_id: shop.companyId,
  });
  const ours = { company_id: shop.companyId, products: [repricingRow(water)] };
  expect(await errorsOf(`POST ${REPRICINGS}`, employee, ours)).toEqual({ company_id: NOT_FOUND });
});

test('what a body must be', async () => {
  const water = await newGoods(shop, []);
  const company_id = shop.companyId;
  const errors = (json: object) => errorsOf(`POST ${REPRICINGS}`, shop.director, json);
  expect(await errors({})).toEqual({ company_id: REQUIRED, products: REQUIRED });
  expect(await errors({ company_id, products: [] })).toEqual({
    products: translate('ru', { key: 'validation.too_few_items', with: { min: 1 } }),
  });
  expect(await errors({ company_id, products: [{}] })).toEqual({
    'products.0.product_id': REQUIRED,
    'products.0.sale_price': REQUIRED,
    'products.0.sale_currency': REQUIRED,
  });
  const wrong = {
    sale_price: 0,
    sale_currency: 'gbp',
    markup_percent: 0,
    price_without_rounding: 0.001,
    previous_price: 1_000_000_000_000,
    min_price: -1,
    min_price_percent: 10_001,
  };
  expect(
    Object.keys(
      await errors({
        company_id,
        rounding_type: '500',
        currency_rate: 0.5,
        products: [repricingRow(water, wrong)],
      }),
    ).sort(),
  ).toEqual(
    ['currency_rate', ...Object.keys(wrong).map((field) => `products.0.${field}`), 'rounding_type'].sort(),
  );
});

test('a duplicate product is 422 on its product_id, and so are more than 10 000 rows on products (Contract 9.34)', async () => {
  const company_id = shop.companyId;
  const twice = { company_id, products: [repricingRow(1), repricingRow(2), repricingRow(1)] };
  expect(await errorsOf(`POST ${REPRICINGS}`, shop.director, twice)).toEqual({
    'products.2.product_id': DUPLICATE,
  });
  const many = {
    company_id,
    products: Array.from({ length: 10_001 }, (_, index) => repricingRow(index + 1)),
  };
  expect(await errorsOf(`POST ${REPRICINGS}`, shop.director, many)).toEqual({
    products: translate('ru', { key: 'validation.too_many_items', with: { max: 10_000 } }),
  });
});

test('a product in an active sale is skipped and reported, and the others are repriced', async () => {
  const [water, soda] = [await newGoods(shop, []), await newGoods(shop, [])];
  await addToDraft(shop, soda);
  const batch = await reprice(shop, [repricingRow(soda), repricingRow(water)], { currency_rate: 12_700 });
  expect(batch).toMatchObject({
    products_count: 1,
    skipped_count: 1,
    products: [{ product_id: water }],
    skipped_products: [
      {
        product_id: soda,
        reason: 'in_active_sale',
        text: translate('ru', { key: 'repricing.in_active_sale' }),
      },
    ],
  });
  expect(await cardOf(shop, soda)).toMatchObject({ sale_price: 5000 });
  expect(await cardOf(shop, water)).toMatchObject({ sale_price: 6000 });
  const texts = await Promise.all(
    LOCALES.map(async (locale) => {
      const headers = { 'accept-language': locale };
      return (await call(`GET ${REPRICINGS}`, { token: shop.director, headers })).body;
    }),
  );
  for (const [index, locale] of LOCALES.entries()) {
    const text = translate(locale, { key: 'repricing.in_active_sale' });
    expect(texts[index]).toMatchObject({ data: [{ skipped_products: [{ product_id: soda, text }] }] });
  }
});

test('a minimum price below the latest cost, converted at the batch’s rates, is skipped (Contract 9.33)', async () => {
  const dollars = [{ quantity: 1, cost: 1, currency: 'usd' }] as const;
  const [below, above] = [await newGoods(shop, dollars), await newGoods(shop, dollars)];
  const rows = [
    repricingRow(below, { sale_price: 20_000, min_price: 12_999.99 }),
    repricingRow(above, { sale_price: 20_000, min_price: 13_000 }),
  ];
  const reason = 'min_price_below_cost';
  const text = translate('ru', {
    key: `repricing.${reason}`,
    with: { cost: 13_000, currency: 'uzs' },
  });
  const batch = await reprice(shop, rows, { currency_rate: 13_000 });
  expect(batch.products.map(({ product_id }) => product_id)).toEqual([above]);
  expect(batch).toMatchObject({
    skipped_products: [{ product_id: below, reason, cost: 13_000, cost_currency: 'uzs', text }],
  });
  // At the former rate, both would have passed.
  expect(await reprice(shop, rows, { currency_rate: 12_650 })).toMatchObject({ products_count: 2 });
});

test('a row under its product’s minimum, the row’s own included, is skipped as below_min_price (Contract 9.90)', async () => {
  const [held, own, fits] = [
    await newGoods(shop, [], { min_price: 900 }),
    await newGoods(shop, [], { min_price: 900 }),
    await newGoods(shop, [], { min_price: 900 }),
  ];
  const rows = [
    repricingRow(held, { sale_price: 899.99 }),
    repricingRow(own, { sale_price: 950, min_price: 951 }),
    repricingRow(fits, { sale_price: 500, min_price: 500 }),
  ];
  const why = { reason: 'below_min_price', text: translate('ru', { key: 'repricing.below_min_price' }) };
  expect(await reprice(shop, rows)).toMatchObject({
    products: [{ product_id: fits }],
    skipped_products: [
      { product_id: held, ...why },
      { product_id: own, ...why },
    ],
  });
  const json = { company_id: shop.companyId, products: [repricingRow(held, { sale_price: 1 })] };
  const counts = { in_sale: 0, below_min: 1, below_cost: 0, without_rate: 0, unconverted: 0 };
  expect(await errorsOf(`POST ${REPRICINGS}`, shop.director, json)).toEqual({
    products: translate('ru', { key: 'repricing.none_left', with: counts }),
  });
});

test('the minimum price that the card has counts if the row gives none; without one nothing is below cost', async () => {
  const [low, none] = [
    await newGoods(shop, [{ quantity: 1, cost: 3000 }], { min_price: 2000 }),
    await newGoods(shop, [{ quantity: 1, cost: 3000 }]),
  ];
  expect(await reprice(shop, [repricingRow(low), repricingRow(none, { sale_price: 2500 })])).toMatchObject({
    products: [{ product_id: none }],
    skipped_products: [{ product_id: low, reason: 'min_price_below_cost', cost: 3000 }],
  });
  expect(await reprice(shop, [repricingRow(low, { min_price: 3000 })])).toMatchObject({ products_count: 1 });
});

test('a card whose currency changes keeps its minimum price, converted', async () => {
  const water = await newGoods(shop, [], { sale_price: 20_000, min_price: 12_650 });
  const usd = { sale_price: 3, sale_currency: 'usd' };
  expect(await reprice(shop, [repricingRow(water, usd)])).toMatchObject({ products: [{ min_price: 1 }] });
  expect(await cardOf(shop, water)).toMatchObject({ sale_price: 3, sale_currency: 'usd', min_price: 1 });
});

test('a currency without a rate is 422 on the row, and a cost in one skips the row', async () => {
  const water = await newGoods(shop, [{ quantity: 1, cost: 1, currency: 'rub' }], { min_price: 1000 });
  const soda = await newGoods(shop, []);
  await setRate(shop, 'rub', 0);
  const json = { company_id: shop.companyId, products: [repricingRow(soda, { sale_currency: 'rub' })] };
  expect(await errorsOf(`POST ${REPRICINGS}`, shop.director, json)).toEqual({
    'products.0.sale_currency': translate('ru', { key: 'rate.missing', with: { currency: 'rub' } }),
  });
  expect(await reprice(shop, [repricingRow(water), repricingRow(soda)])).toMatchObject({
    skipped_products: [{ product_id: water, reason: 'cost_without_rate', cost: 1, cost_currency: 'rub' }],
  });
});

test('a card’s minimum price that can’t be converted skips its row alone, and is no field of the body', async () => {
  const rub = { sale_currency: 'rub', sale_price: 100, min_price: 10 };
  const usd = { sale_currency: 'usd', sale_price: 999_999_999_999, min_price: 999_999_999_999 };
  const [poor, vast] = [await newGoods(shop, [], rub), await newGoods(shop, [], usd)];
  const water = await newGoods(shop, []);
  await setRate(shop, 'rub', 0);
  const text = translate('ru', { key: 'repricing.min_price_without_rate' });
  expect(await reprice(shop, [repricingRow(poor), repricingRow(vast), repricingRow(water)])).toMatchObject({
    products: [{ product_id: water }],
    skipped_products: [
      { product_id: poor, reason: 'min_price_without_rate', cost: null, text },
      { product_id: vast, reason: 'min_price_too_large', cost: null, cost_currency: null },
    ],
  });
  expect(await reprice(shop, [repricingRow(poor, { min_price: 10 })])).toMatchObject({ products_count: 1 });
  const json = { company_id: shop.companyId, products: [repricingRow(vast)] };
  const counts = { in_sale: 0, below_min: 0, below_cost: 0, without_rate: 0, unconverted: 1 };
  expect(await errorsOf(`POST ${REPRICINGS}`, shop.director, json)).toEqual({
    products: translate('ru', { key: 'repricing.none_left', with: counts }),
  });
});

test('if no row passes it is 422 on products, and nothing is changed (Contract 9.34)', async () => {
  const water = await newGoods(shop, [{ quantity: 1, cost: 3000 }]);
  const soda = await newGoods(shop, []);
  await addToDraft(shop, soda);
  const json = {
    company_id: shop.companyId,
    currency_rate: 13_000,
    products: [repricingRow(water, { min_price: 1 }), repricingRow(soda)],
  };
  expect(await errorsOf(`POST ${REPRICINGS}`, shop.director, json)).toEqual({
    products: translate('ru', {
      key: 'repricing.none_left',
      with: { in_sale: 1, below_min: 0, below_cost: 1, without_rate: 0, unconverted: 0 },
    }),
  });
  expect(await rateOf(shop, 'usd')).toBe(12_650);
  expect(await historyOf(shop)).toMatchObject({ data: [] });
  expect(await cardOf(shop, water)).toMatchObject({ sale_price: 5000, min_price: null });
});
