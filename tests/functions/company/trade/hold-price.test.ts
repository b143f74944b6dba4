import { expect, test } from 'vitest';
import { translate } from '#lib/values/message.ts';
import { newEmployee } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { errorsOf } from '#tests/support/records.ts';
import { newShop, type Shop, saleBody } from '#tests/support/shop.ts';
import { holdGoods, newTeaSet, readHold } from '#tests/support/trade.ts';

const HOLD = '/company/trade/hold';
const SELL = 'POST /company/trade/sale';

/** Creates a shop with a tea set at 2000, and a cashier who may give no discount. */
async function newTeaShop() {
  const shop = await newShop();
  const set = await newTeaSet(shop, 100);
  const places = { cashbox_ids: [shop.cashboxId], stock_ids: [shop.stockId] };
  const rights = ['company.trade.sale.store', 'company.trade.hold.add-products'];
  return { ...shop, ...set, cashier: await newEmployee(shop, rights, places) };
}

/** Builds the body of a sale that closes a hold with these bundles, for cash. */
function closing(shop: Shop, hold_id: number, bundles: readonly object[], amount: number): object {
  return saleBody(shop, { hold_id, bundles, transactions: [{ payment_type: 'cash', amount }] });
}

function adding({ cashboxId: cashbox_id }: Shop, bundles: readonly object[]): object {
  return { cashbox_id, cheque: 1, bundles };
}

/** Builds the error of a wrong payment total. */
function mustBe(total: number) {
  return { transactions: translate('ru', { key: 'sale.payments_differ', with: { total } }) };
}

const FORBIDDEN = translate('ru', { key: 'sale.discount_forbidden' });

test('a held price is not that of a bundle made of other goods since (Contract 9.2)', async () => {
  const { bundle_id, cashier, tea, ...shop } = await newTeaShop();
  const hold = (await holdGoods(shop, { bundles: [{ bundle_id }] })).number('id');
  const json = { name: 'Tea box', price: 9500, products: [{ product_id: tea, quantity: 10 }] };
  await call(`PUT /company/product/bundle/${bundle_id}`, { token: shop.director, json });
  expect(await errorsOf(SELL, cashier, closing(shop, hold, [{ bundle_id }], 2000))).toEqual(mustBe(9500));
  const lowered = closing(shop, hold, [{ bundle_id, price: 2000 }], 2000);
  expect(await errorsOf(SELL, cashier, lowered)).toEqual({ 'bundles.0.price': FORBIDDEN });
  const added = await call(`PATCH ${HOLD}/${hold}/add-products`, {
    token: cashier,
    json: adding(shop, [{ bundle_id }]),
  });
  expect(added.body).toMatchObject({ amount: 11_500 });
  const whole = closing(shop, hold, [], 11_500);
  expect((await call(SELL, { token: cashier, json: whole })).body).toMatchObject({ sold_amount: 11_500 });
});

test('bundles that are held at different prices are each sold at their own (Contract 9.2)', async () => {
  const { bundle_id, cashier, ...shop } = await newTeaShop();
  const hold = (await holdGoods(shop, { bundles: [{ bundle_id, quantity: 2, price: 1800 }] })).number('id');
  const json = adding(shop, [{ bundle_id, price: 1900 }]);
  await call(`PATCH ${HOLD}/${hold}/add-products`, { token: shop.director, json });
  expect((await readHold(shop, hold)).amount).toBe(5500);
  const refused = (bundles: object[]) => errorsOf(SELL, cashier, closing(shop, hold, bundles, 1));
  const one = { bundle_id };
  expect(await refused([one, one, one])).toEqual(mustBe(5500));
  expect(await refused([{ ...one, quantity: 3 }])).toEqual(mustBe(5500));
  expect(await refused([one, { ...one, quantity: 2 }])).toEqual(mustBe(5500));
  expect(await refused([one, { ...one, price: 1900 }])).toEqual(mustBe(3700));
  expect(await refused([{ ...one, price: 1800 }, one, one])).toEqual(mustBe(5500));
  // Quantities above the hold have today's price (Contract 9.109).
  expect(await refused([{ ...one, quantity: 4 }])).toEqual(mustBe(7500));
  expect(await refused([{ ...one, quantity: 5, price: 2000 }])).toEqual(mustBe(9500));
  const twice = [one, one, one].map((each) => ({ ...each, price: 1800 }));
  expect(await refused(twice)).toEqual({ 'bundles.2.price': FORBIDDEN });
  const sold = await call(SELL, { token: cashier, json: closing(shop, hold, [one, one, one], 5500) });
  expect(sold).toMatchObject({ status: 200, body: { sold_amount: 5500, products_count: 6 } });
});

test('a held bundle may be sold at its own price too, and at no other without the right (Contract 9.2)', async () => {
  const { bundle_id, cashier, ...shop } = await newTeaShop();
  const hold = (await holdGoods(shop, { bundles: [{ bundle_id, price: 1800 }] })).number('id');
  for (const price of [1700, 1850, 2500]) {
    const json = closing(shop, hold, [{ bundle_id, price }], price);
    expect(await errorsOf(SELL, cashier, json)).toEqual({ 'bundles.0.price': FORBIDDEN });
  }
  const json = closing(shop, hold, [{ bundle_id, price: 2000 }], 2000);
  expect((await call(SELL, { token: cashier, json })).body).toMatchObject({ sold_amount: 2000 });
});

test('a bundle is lowered if it is sold under both its prices: then no share is under its minimum', async () => {
  const { bundle_id, tea, ...shop } = await newTeaShop();
  const { director: token } = shop;
  const hold = (await holdGoods(shop, { bundles: [{ bundle_id, price: 1800 }] })).number('id');
  const { body } = await call(`GET /company/product/product/${tea}`, { token });
  const card = { ...Object(body), min_price: 950 };
  expect((await call(`PUT /company/product/product/${tea}`, { token, json: card })).status).toBe(200);
  const at = (price: number) => closing(shop, hold, [{ bundle_id, price }], price);
  const min = translate('ru', { key: 'sale.bundle_price_too_low', with: { name: 'Water', min: 950 } });
  expect(await errorsOf(SELL, token, at(1799))).toEqual({ 'bundles.0.price': min });
  expect((await call(SELL, { token, json: at(1801) })).status).toBe(200);
});
