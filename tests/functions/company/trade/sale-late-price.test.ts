import { expect, test } from 'vitest';
import { edit, ProductInput } from '#lib/catalog/product/product.ts';
import { checkFloors } from '#lib/stock/price-floors.ts';
import { say } from '#lib/values/say.ts';
import { renderInstant } from '#lib/values/time.ts';
import { card } from '#tests/kit/catalog.ts';
import { directorAs, newEmployee } from '#tests/kit/family.ts';
import { call } from '#tests/kit/http.ts';
import { errorsOf, make, REQUIRED } from '#tests/kit/records.ts';
import { cheque, newGoods, newShop, type Shop, setRate } from '#tests/kit/shop.ts';
import { holdGoods } from '#tests/kit/trade.ts';

const SELL = 'POST /company/trade/sale';
const PRODUCTS = '/company/product/product';
const BUNDLES = '/company/product/bundle';
const WATER = [{ quantity: 100, cost: 1 }];

const HOUR_MS = 60 * 60 * 1000;
const FIXED = say('ru', { key: 'sale.price_fixed' });

/** Makes the body of a sale of one piece that was made some hours ago; of one that is made now by null. */
function soldAgo(shop: Shop, hours: number | null, product_id: number, price: number, given: object = {}) {
  return cheque(shop, {
    products: [{ product_id, sold_quantity: 1, price }],
    transactions: [{ payment_type: 'cash', amount: price }],
    ...(hours !== null && { sold_at: renderInstant(Date.now() - hours * HOUR_MS) }),
    ...given,
  });
}

async function statusOf(shop: Shop, json: object) {
  return (await call(SELL, { token: shop.director, json })).status;
}

/** Changes a product's card over HTTP. */
async function change(shop: Shop, id: number, given: object) {
  const json = card(shop.catalog, given);
  expect(await call(`PUT ${PRODUCTS}/${id}`, { token: shop.director, json })).toMatchObject({ status: 200 });
}

test('a late sale has any price of its window without is_free_price, and no other (Part 4, 4.4, 3)', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, WATER);
  await change(shop, id, { sale_price: 7000 });
  await change(shop, id, { sale_price: 6000 });
  for (const price of [5000, 6000, 7000]) expect(await statusOf(shop, soldAgo(shop, 3, id, price))).toBe(200);
  const refused = { 'products.0.price': FIXED };
  expect(await errorsOf(SELL, shop.director, soldAgo(shop, 3, id, 6500))).toEqual(refused);
  expect(await errorsOf(SELL, shop.director, soldAgo(shop, null, id, 5000))).toEqual(refused);
});

test('a price that had ceased 24 hours before the sale is none of its time', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, WATER);
  const body = ProductInput.parse(card(shop.catalog, { sale_price: 6000 }));
  const changed = Date.now() - 48 * HOUR_MS;
  await edit(directorAs(shop.directorId, shop.companyId), id, body, { at: changed, checkFloors });
  expect(await statusOf(shop, soldAgo(shop, 25, id, 5000))).toBe(200);
  expect(await errorsOf(SELL, shop.director, soldAgo(shop, 23, id, 5000))).toEqual({
    'products.0.price': FIXED,
  });
});

test('its prices are converted by any rate of the window', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, WATER, { sale_price: 2, sale_currency: 'usd' });
  for (const rate of [12_000, 13_000]) await setRate(shop, 'usd', rate);
  for (const price of [24_000, 26_000]) expect(await statusOf(shop, soldAgo(shop, 3, id, price))).toBe(200);
  expect(await statusOf(shop, soldAgo(shop, 3, id, 25_000))).toBe(422);
  await setRate(shop, 'usd', 0);
  expect(await statusOf(shop, soldAgo(shop, 3, id, 24_000))).toBe(200);
  expect(await statusOf(shop, soldAgo(shop, null, id, 24_000))).toBe(422);
});

test('its minimum is the lowest of the window', async () => {
  const shop = await newShop();
  const free = { is_free_price: true, sale_price: 5000 };
  const id = await newGoods(shop, WATER, { ...free, min_price: 3000 });
  await change(shop, id, { ...free, min_price: 4000 });
  expect(await statusOf(shop, soldAgo(shop, 3, id, 3000))).toBe(200);
  const tooLow = say('ru', { key: 'sale.price_too_low', with: { min: 3000 } });
  expect(await errorsOf(SELL, shop.director, soldAgo(shop, 3, id, 2999))).toEqual({
    'products.0.price': tooLow,
  });
  expect(await statusOf(shop, soldAgo(shop, null, id, 3000))).toBe(422);
});

test('its currency may be any sale currency of the window', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, WATER);
  const settings = '/company/cashbox/currency-rate/settings';
  await call(`PATCH ${settings}`, { token: shop.director, json: { sale_currency: 'usd' } });
  expect(await statusOf(shop, soldAgo(shop, 3, id, 5000))).toBe(200);
  expect(await statusOf(shop, soldAgo(shop, null, id, 5000))).toBe(422);
  const other = say('ru', { key: 'sale.other_currency', with: { currency: 'usd' } });
  expect(await errorsOf(SELL, shop.director, soldAgo(shop, 3, id, 5000, { currency: 'eur' }))).toMatchObject({
    currency: other,
  });
});

test('a bundle has any price of the window', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, WATER);
  const body = (price: number) => ({ name: 'Set', price, products: [{ product_id: id, quantity: 2 }] });
  const bundle_id = await make(BUNDLES, shop.director, body(9000));
  await call(`PUT ${BUNDLES}/${bundle_id}`, { token: shop.director, json: body(9500) });
  const of = (hours: number | null, price: number) =>
    soldAgo(shop, hours, id, price, { products: [], bundles: [{ bundle_id, price }] });
  const places = { cashbox_ids: [shop.cashboxId], stock_ids: [shop.stockId] };
  const cashier = await newEmployee(shop, ['company.trade.sale.store'], places);
  const sell = async (json: object) => (await call(SELL, { token: cashier, json })).status;
  expect([await sell(of(3, 9000)), await sell(of(3, 9500))]).toEqual([200, 200]);
  expect([await sell(of(3, 9200)), await sell(of(null, 9000))]).toEqual([422, 422]);
});

test('its lines and bundles name their prices, but those of a hold, whose price stands', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, WATER);
  const parts = [{ product_id: id, quantity: 1 }];
  const bundle_id = await make(BUNDLES, shop.director, { name: 'Set', price: 5000, products: parts });
  const bare = { products: [{ product_id: id, sold_quantity: 1 }] };
  const both = soldAgo(shop, 3, id, 10_000, { ...bare, bundles: [{ bundle_id }] });
  expect(await errorsOf(SELL, shop.director, both)).toMatchObject({
    'products.0.price': REQUIRED,
    'bundles.0.price': REQUIRED,
  });
  const hold_id = (await holdGoods(shop, { products: parts })).number('id');
  const whole = (await holdGoods(shop, { products: parts })).number('id');
  await change(shop, id, { sale_price: 8000 });
  expect(await statusOf(shop, soldAgo(shop, 3, id, 5000, { hold_id, ...bare }))).toBe(200);
  expect(await statusOf(shop, soldAgo(shop, 3, id, 5000, { hold_id: whole, products: [] }))).toBe(200);
});
