import { beforeAll, describe, expect, test } from 'vitest';
import { translate } from '#lib/values/message.ts';
import { newKey, uuidsOf } from '#tests/support/external.ts';
import {
  ASKING,
  type PricedProduct,
  type PricingShop,
  reasonsToSkip,
  receiptErrors,
  SETTING,
} from '#tests/support/floors.ts';
import { call } from '#tests/support/http.ts';
import { errorWith } from '#tests/support/records.ts';
import { cardOf, PRODUCTS, reprice, repricingRow } from '#tests/support/repricing.ts';
import { newGoods, newShop, saleBody } from '#tests/support/shop.ts';
import { newWarehouse, PURCHASES, receiveGoods } from '#tests/support/stock.ts';

const SELL = 'POST /company/trade/sale';

const SUMS = { cost: 600, currency: 'uzs' } as const;
/** By the first rate, 12 650: 632.5 sums. */
const DOLLARS = { cost: 0.05, currency: 'usd' } as const;

/** Price bounds of a product, and the cost of its goods. */
const FLOORS = [
  { bounds: { min_price: 700 }, cost: SUMS, floor: 700, field: 'min_price' },
  { bounds: { min_price_percent: 10 }, cost: SUMS, floor: 660, field: 'min_price_percent' },
  { bounds: { min_price: 700, min_price_percent: 10 }, cost: SUMS, floor: 700, field: 'min_price' },
  { bounds: { min_price: 600, min_price_percent: 20 }, cost: SUMS, floor: 720, field: 'min_price_percent' },
  { bounds: { min_price_percent: 10 }, cost: DOLLARS, floor: 695.75, field: 'min_price_percent' },
] as const;

let shop: PricingShop;

beforeAll(async () => {
  const made = await newShop();
  const { key } = await newKey({ kind: 'external', company_ids: [made.companyId] });
  const { primary_uuid } = await uuidsOf(made.companyId);
  shop = { ...made, credit: { 'External-System-Secret-Key': key, 'Company-Primary-Uuid': primary_uuid } };
});

async function newPriced(bounds: object, { cost, currency }: typeof SUMS | typeof DOLLARS = SUMS) {
  const card = { sale_price: 1000, is_free_price: true, ...bounds };
  const id = await newGoods(shop, [{ quantity: 100, cost, currency }], card);
  return { id, cost, currency } satisfies PricedProduct;
}

const under = (floor: number) => Math.round((floor - 0.01) * 100) / 100;

describe.each(FLOORS)('under the floor of $bounds, $cost.currency', ({ bounds, cost, floor, field }) => {
  test.each(Object.entries(SETTING))('%s sets no price (Contract 9.108)', async (name, door) => {
    const priced = await newPriced(bounds, cost);
    const path = name === 'import' ? `rows.2.${field}` : field;
    expect(Object.keys(await door(shop, priced, under(floor)))).toEqual([path]);
    expect(await cardOf(shop, priced.id)).toMatchObject({ sale_price: 1000 });
    expect(await door(shop, priced, floor)).toEqual({});
    expect(await cardOf(shop, priced.id)).toMatchObject({ sale_price: floor });
  });

  test('a repricing skips a row as below_min_price (Contract 9.108)', async () => {
    const { id } = await newPriced(bounds, cost);
    expect(await reasonsToSkip(shop, id, under(floor))).toEqual(['below_min_price']);
    // A price at the floor may still have a minimum below its cost, which is another reason.
    expect(await reasonsToSkip(shop, id, floor)).not.toContain('below_min_price');
  });

  test('a receipt sets no price, its own cost being the latest (Contract 9.108)', async () => {
    const priced = await newPriced(bounds, cost);
    const min = translate('ru', { key: 'sale.price_too_low', with: { min: floor } });
    expect(await receiptErrors(shop, priced, under(floor))).toEqual({ 'products.0.sale_price': [min] });
    expect(await receiptErrors(shop, priced, floor)).toEqual({});
  });

  test.each(Object.entries(ASKING))('%s asks no price (Contract 9.107)', async (_, { field: path, door }) => {
    const priced = await newPriced(bounds, cost);
    expect(Object.keys(await door(shop, priced, under(floor)))).toEqual([path]);
    expect(await door(shop, priced, floor)).toEqual({});
  });
});

test('a product without a floor has any price, at every door (Contract 9.107)', async () => {
  for (const door of [...Object.values(SETTING), ...Object.values(ASKING).map((asking) => asking.door)]) {
    expect(await door(shop, await newPriced({}), 1.02)).toEqual({});
  }
});

test('goods that never came have no floor by their percent (Contract 9.107)', async () => {
  for (const door of Object.values(SETTING)) {
    const id = await newGoods(shop, [], { sale_price: 1000, min_price_percent: 10 });
    expect(await door(shop, { id, ...SUMS }, 0.02)).toEqual({});
  }
});

test('the product’s own price is sold as it stands, though it is under its floor (Contract 9.107)', async () => {
  const card = { sale_price: 1000, is_free_price: true, min_price_percent: 100 };
  const id = await newGoods(shop, [{ quantity: 100, ...SUMS }], card);
  for (const { door } of Object.values(ASKING).filter(({ field }) => !field.endsWith('discount')))
    expect(await door(shop, { id, ...SUMS }, 1000)).toEqual({});
  for (const price of [999.99, 1000.01, 1199.99])
    expect(Object.keys((await ASKING['sale']?.door(shop, { id, ...SUMS }, price)) ?? {})).toEqual([
      'products.0.price',
    ]);
  expect(await ASKING['sale']?.door(shop, { id, ...SUMS }, 1200)).toEqual({});
});

test('a floor above the price is asked of a card only if the call changes one of the three (Contract 9.108)', async () => {
  const id = await newGoods(shop, [{ quantity: 1, ...SUMS }], { sale_price: 500, min_price_percent: 10 });
  const { images_list: _, images_list_thumbs: __, ...card } = Object(await cardOf(shop, id));
  const put = async (given: object) => {
    const { status, body } = await call(`PUT ${PRODUCTS}/${id}`, {
      token: shop.director,
      json: { ...card, ...given },
    });
    return status === 200 ? [] : Object.keys(Object(body).errors).sort();
  };
  expect(await put({ name: 'Soda', sale_price: 500 })).toEqual([]);
  expect(await put({ min_price_percent: 9 })).toEqual(['min_price_percent']);
  expect(await put({ min_price: 501, min_price_percent: 9 })).toEqual(['min_price', 'min_price_percent']);
  expect(await put({ min_price_percent: null })).toEqual([]);
});

test('a receipt whose price is under the floor by its completion is 400 naming the product (Contract 9.108)', async () => {
  const { id } = await newPriced({ min_price: 700 });
  const { name } = Object(await cardOf(shop, id));
  const { director: token, stockId: stock_id } = shop;
  const json = {
    ...{ stock_id, currency: 'uzs' },
    products: [{ product_id: id, quantity: 1, cost: 600, sale_price: 800 }],
  };
  const receipt = Object((await call(`POST ${PURCHASES}`, { token, json })).body).id;
  await reprice(shop, [repricingRow(id, { sale_price: 1000, min_price: 900 })]);
  const complete = () => call(`PATCH ${PURCHASES}/${receipt}/complete`, { token });
  expect(await complete()).toMatchObject(errorWith('purchase.price_too_low', { name, min: 900 }));
  await reprice(shop, [repricingRow(id, { sale_price: 1000, min_price: 800 })]);
  expect((await complete()).status).toBe(200);
  expect(await cardOf(shop, id)).toMatchObject({ sale_price: 800 });
});

test('the latest cost is that of the newest goods of the family, in whichever warehouse (Contract 9.107)', async () => {
  const { id } = await newPriced({ min_price_percent: 10 });
  const { director: token } = shop;
  const far = await newWarehouse(token, 'Far');
  const products = [{ product_id: id, quantity: 1, cost: 800 }];
  const receipt = await receiveGoods(token, { stock_id: far, products });
  const at = async (price: number) => {
    const lines = [{ product_id: id, sold_quantity: 1, price }];
    const transactions = [{ payment_type: 'cash', amount: price }];
    return (await call(SELL, { token, json: saleBody(shop, { products: lines, transactions }) })).body;
  };
  const min = translate('ru', { key: 'sale.price_too_low', with: { min: 880 } });
  expect(await at(879.99)).toMatchObject({ errors: { 'products.0.price': [min] } });
  expect((await call(`PATCH ${PURCHASES}/${receipt}/cancel`, { token })).status).toBe(200);
  expect(await at(879.99)).toMatchObject({ sold_amount: 879.99 });
});
