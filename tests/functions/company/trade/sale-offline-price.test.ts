import { expect, test } from 'vitest';
import { translate } from '#lib/values/message.ts';
import { newEmployee } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import {
  bundlesAgo,
  bundleWas,
  cardWas,
  currencyWas,
  oldGoods,
  oldShop,
  rateWas,
  saleOfMinutesAgo,
  timeAgo,
} from '#tests/support/past.ts';
import { errorsOf, make, REQUIRED } from '#tests/support/records.ts';
import { piecesOf, type Shop } from '#tests/support/shop.ts';
import { receiveGoods } from '#tests/support/stock.ts';
import { holdGoods } from '#tests/support/trade.ts';

const SELL = 'POST /company/trade/sale';
const BUNDLES = '/company/product/bundle';
const DAY = 24 * 60;

const FIXED = translate('ru', { key: 'sale.price_fixed' });

async function statusOf({ director: token }: Shop, json: object) {
  return (await call(SELL, { token, json })).status;
}

/** Creates a cashier who may upload offline sales, but give no discount. */
function newTill(shop: Shop): Promise<string> {
  const places = { cashbox_ids: [shop.cashboxId], stock_ids: [shop.stockId] };
  return newEmployee(shop, ['company.trade.sale.store', 'company.trade.sale.late'], places);
}

test('a late sale is right if at one moment all was so together, from a day before its copy to 5 minutes after it (Part 4, 4.4, 3)', async () => {
  const { shop, id } = await oldShop();
  await cardWas(shop, id, 3 * DAY, { sale_price: 7000 });
  await cardWas(shop, id, DAY, { sale_price: 6000 });
  await cardWas(shop, id, 10, { sale_price: 8000 });
  const sold = 2 * 60;
  for (const price of [6000, 7000])
    expect(await statusOf(shop, saleOfMinutesAgo(shop, sold, id, price))).toBe(200);
  for (const price of [5000, 6500, 8000]) {
    expect(await errorsOf(SELL, shop.director, saleOfMinutesAgo(shop, sold, id, price))).toEqual({
      'products.0.price': FIXED,
    });
  }
  const known = { known_at: timeAgo(2.5 * DAY) };
  expect(await statusOf(shop, saleOfMinutesAgo(shop, sold, id, 5000, known))).toBe(200);
  expect(await statusOf(shop, saleOfMinutesAgo(shop, 14, id, 8000))).toBe(200);
  expect(await statusOf(shop, saleOfMinutesAgo(shop, null, id, 7000))).toBe(422);
});

test('two prices that were never together are not sold together, though each was a price of its time', async () => {
  const { shop, id } = await oldShop();
  const other = await oldGoods(shop, { sale_price: 900 });
  await cardWas(shop, id, 8 * 60, { sale_price: 100 });
  await cardWas(shop, id, 7 * 60, { sale_price: 5000 });
  await cardWas(shop, other, 5 * 60, { sale_price: 10 });
  await cardWas(shop, other, 4 * 60, { sale_price: 900 });
  const sell = (first: number, second: number) =>
    saleOfMinutesAgo(shop, 60, id, first + second, {
      products: [
        { product_id: id, sold_quantity: 1, price: first },
        { product_id: other, sold_quantity: 1, price: second },
      ],
    });
  expect(await statusOf(shop, sell(100, 900))).toBe(200);
  expect(await statusOf(shop, sell(5000, 10))).toBe(200);
  expect(await errorsOf(SELL, shop.director, sell(100, 10))).toEqual({
    'products.0.price': FIXED,
    'products.1.price': FIXED,
  });
});

test('a price goes by the rates of its own moment, and by none of before the product was made', async () => {
  const { shop, id } = await oldShop({ sale_price: 2, sale_currency: 'usd' });
  await rateWas(shop, 'usd', 8 * 60, 12_000);
  await rateWas(shop, 'usd', 7 * 60, 12);
  await rateWas(shop, 'usd', 6 * 60, 13_000);
  await cardWas(shop, id, 5 * 60, { sale_price: 3, sale_currency: 'usd' });
  const fresh = await oldGoods(shop, { sale_price: 500, sale_currency: 'usd' }, 4 * 60);
  for (const price of [24_000, 24, 26_000, 39_000]) {
    expect(await statusOf(shop, saleOfMinutesAgo(shop, 60, id, price))).toBe(200);
  }
  for (const price of [36_000, 36, 25_000]) {
    expect(await statusOf(shop, saleOfMinutesAgo(shop, 60, id, price))).toBe(422);
  }
  expect(await statusOf(shop, saleOfMinutesAgo(shop, 60, fresh, 6_500_000))).toBe(200);
  expect(await statusOf(shop, saleOfMinutesAgo(shop, 60, fresh, 6000))).toBe(422);
});

test('what was made after it was sold is judged as of when the last of it was made (Contract 9.95)', async () => {
  const { shop, id } = await oldShop();
  const fresh = await oldGoods(shop, { sale_price: 900 }, 30);
  await cardWas(shop, fresh, 20, { sale_price: 800 });
  expect(await statusOf(shop, saleOfMinutesAgo(shop, 90, fresh, 900))).toBe(200);
  expect(await statusOf(shop, saleOfMinutesAgo(shop, 90, fresh, 800))).toBe(422);
  await cardWas(shop, id, 40, { sale_price: 6000 });
  const both = (price: number) =>
    saleOfMinutesAgo(shop, 90, id, price + 900, {
      products: [
        { product_id: id, sold_quantity: 1, price },
        { product_id: fresh, sold_quantity: 1, price: 900 },
      ],
    });
  expect([await statusOf(shop, both(6000)), await statusOf(shop, both(5000))]).toEqual([200, 422]);
});

test('a moment is a second: what changed within one was both in it (Contract 9.95)', async () => {
  const { shop, id } = await oldShop();
  const other = await oldGoods(shop, { sale_price: 900 });
  const known = { known_at: timeAgo(60) };
  const at = Math.floor((Date.now() - 3 * 60 * 60_000) / 1000) * 1000;
  const minutes = (Date.now() - at) / 60_000;
  await cardWas(shop, id, minutes - 0.1 / 60, { sale_price: 7000 });
  await cardWas(shop, other, minutes - 0.5 / 60, { sale_price: 700 });
  for (const [first, second] of [
    [5000, 700],
    [7000, 900],
  ]) {
    const products = [
      { product_id: id, sold_quantity: 1, price: first },
      { product_id: other, sold_quantity: 1, price: second },
    ];
    const amount = (first ?? 0) + (second ?? 0);
    expect(await statusOf(shop, saleOfMinutesAgo(shop, 60, id, amount, { products, ...known }))).toBe(200);
  }
});

test('a late sale goes by the minimum of its moment (Contract 9.108)', async () => {
  const free = { is_free_price: true, sale_price: 5000 };
  const { shop, id } = await oldShop({ ...free, min_price: 3000 });
  await cardWas(shop, id, 2 * DAY, { ...free, min_price: 4000 });
  await cardWas(shop, id, 30, { ...free, min_price: 2000 });
  const tooLow = { 'products.0.price': translate('ru', { key: 'sale.price_too_low', with: { min: 4000 } }) };
  expect(await errorsOf(SELL, shop.director, saleOfMinutesAgo(shop, 60, id, 3000))).toEqual(tooLow);
  expect(await statusOf(shop, saleOfMinutesAgo(shop, 60, id, 4000))).toBe(200);
  expect(await statusOf(shop, saleOfMinutesAgo(shop, 3 * DAY, id, 3000))).toBe(200);
  expect(await statusOf(shop, saleOfMinutesAgo(shop, null, id, 2000))).toBe(200);
});

test('min_price_percent is that of the moment, on the latest cost of now (Contract 9.96, 9.107, 9.108)', async () => {
  const free = { is_free_price: true, sale_price: 5000 };
  const { shop, id } = await oldShop(free);
  await receiveGoods(shop.director, {
    stock_id: shop.stockId,
    products: [{ product_id: id, quantity: 10, cost: 3000 }],
  });
  await cardWas(shop, id, 3 * DAY, { ...free, min_price_percent: 20 });
  await cardWas(shop, id, DAY + 2 * 60, { ...free, min_price_percent: 50 });
  await cardWas(shop, id, 30, free);
  const tooLow = (min: number) => translate('ru', { key: 'sale.price_too_low', with: { min } });
  const sell = (minutes: number, price: number) => saleOfMinutesAgo(shop, minutes, id, price);
  expect(await errorsOf(SELL, shop.director, sell(60, 4499.99))).toEqual({
    'products.0.price': tooLow(4500),
  });
  expect(await errorsOf(SELL, shop.director, sell(DAY + 3 * 60, 3599.99))).toEqual({
    'products.0.price': tooLow(3600),
  });
  expect([await statusOf(shop, sell(60, 4500)), await statusOf(shop, sell(DAY + 3 * 60, 3600))]).toEqual([
    200, 200,
  ]);
  expect([
    await statusOf(shop, sell(10, 1)),
    await statusOf(shop, saleOfMinutesAgo(shop, null, id, 1)),
  ]).toEqual([200, 200]);
});

test('taken is the latest moment at which every price is its own; only else is another let pass', async () => {
  const { shop, id } = await oldShop({ is_free_price: true });
  await rateWas(shop, 'usd', 8 * 60, 12_000);
  await cardWas(shop, id, 7 * 60, { is_free_price: true, sale_price: 6000 });
  await rateWas(shop, 'usd', 6 * 60, 13_000);
  const paid = (price: number, change: number) => ({
    transactions: [{ payment_type: 'cash', amount: 1, currency: 'usd' }],
    products: [{ product_id: id, sold_quantity: 2, price }],
    change_amount: change,
  });
  await statusOf(shop, saleOfMinutesAgo(shop, null, id, 20_000));
  const sold = (price: number, change: number) =>
    call(SELL, { token: shop.director, json: saleOfMinutesAgo(shop, 60, id, price, paid(price, change)) });
  expect(await sold(5000, 2000)).toMatchObject({ status: 200, body: { payment_rates: { usd: 12_000 } } });
  expect(await sold(5500, 2000)).toMatchObject({ status: 200, body: { payment_rates: { usd: 13_000 } } });
});

test('is_bundle_only and is_marked are those of the moment (Part 4, 4.4, 3)', async () => {
  const { shop, id } = await oldShop();
  const marked = await oldGoods(shop);
  await cardWas(shop, id, 30, { is_bundle_only: true });
  await cardWas(shop, marked, 30, { is_marked: true });
  expect(await statusOf(shop, saleOfMinutesAgo(shop, 60, id, 5000))).toBe(200);
  expect(await statusOf(shop, saleOfMinutesAgo(shop, 60, marked, 5000))).toBe(200);
  expect([
    await statusOf(shop, saleOfMinutesAgo(shop, 20, id, 5000, { known_at: timeAgo(20) })),
    await statusOf(shop, saleOfMinutesAgo(shop, null, id, 5000)),
  ]).toEqual([200, 422]);
  expect(await statusOf(shop, saleOfMinutesAgo(shop, null, marked, 5000))).toBe(422);
});

test('its currency is the sale currency of its moment (Part 4, 4.4, 3)', async () => {
  const { shop, id } = await oldShop();
  await currencyWas(shop, 'usd', 2 * DAY);
  const other = (currency: string) => ({
    currency: translate('ru', { key: 'sale.other_currency', with: { currency } }),
  });
  expect(await statusOf(shop, saleOfMinutesAgo(shop, 2.5 * DAY, id, 5000))).toBe(200);
  expect(await errorsOf(SELL, shop.director, saleOfMinutesAgo(shop, 60, id, 5000))).toEqual(other('usd'));
  const early = saleOfMinutesAgo(shop, 4 * DAY, id, 5000, { currency: 'eur' });
  expect(await errorsOf(SELL, shop.director, early)).toEqual(other('uzs'));
});

test('a bundle’s price, contents and currency go together: none of them is had with another of its time', async () => {
  const { shop, id } = await oldShop({ min_price: 4500 });
  const token = await newTill(shop);
  const one = [{ product_id: id, quantity: 1 }];
  const ten = [{ product_id: id, quantity: 10 }];
  const bundle = await bundleWas(shop, 3 * DAY, { price: 5000, products: one });
  await bundleWas(shop, 6 * 60, { price: 50_000, products: ten }, bundle);
  const sell = async (minutes: number | null, price: number, given = {}) =>
    (await call(SELL, { token, json: bundlesAgo(shop, minutes, bundle, price, given) })).status;
  const before = await piecesOf(shop, id);
  expect([await sell(60, 5000), before - (await piecesOf(shop, id))]).toEqual([200, 1]);
  expect([await sell(60, 50_000), before - (await piecesOf(shop, id))]).toEqual([200, 11]);
  expect([await sell(60, 9000), await sell(null, 5000)]).toEqual([422, 422]);
  await currencyWas(shop, 'usd', 50);
  await bundleWas(shop, 40, { price: 10, products: one }, bundle);
  expect(await sell(20, 10)).toBe(422);
  expect([await sell(20, 10, { currency: 'usd' }), await sell(null, 10, { currency: 'usd' })]).toEqual([
    200, 200,
  ]);
});

test('a bundle takes what it was made of at its moment, from products that it has no more (trade.md, F4)', async () => {
  const { shop, id } = await oldShop();
  const other = await oldGoods(shop, { sale_price: 900 });
  const bundle = await bundleWas(shop, 2 * DAY, { price: 1800, products: [{ product_id: id, quantity: 2 }] });
  await bundleWas(shop, 60, { price: 2700, products: [{ product_id: other, quantity: 1 }] }, bundle);
  const { status, body } = await call(SELL, {
    token: shop.director,
    json: bundlesAgo(shop, 5 * 60, bundle, 1800),
  });
  expect({ status, body }).toMatchObject({ status: 200, body: { purchased_amount: 2 } });
  expect([await piecesOf(shop, id), await piecesOf(shop, other)]).toEqual([998, 1000]);
});

test('what a correction replaces never was: the new value counts from when that did (Contract 9.105)', async () => {
  const { shop, id } = await oldShop();
  await cardWas(shop, id, 3 * 60, { sale_price: 50 });
  await cardWas(shop, id, 2 * 60, { sale_price: 6000, is_correction: true });
  const dear = await oldGoods(shop, { sale_price: 1, sale_currency: 'usd' });
  await rateWas(shop, 'usd', 5 * 60, 12_500);
  await rateWas(shop, 'usd', 4 * 60, 125);
  await rateWas(shop, 'eur', 3 * 60, 20_000);
  await rateWas(shop, 'usd', 2 * 60, 12_600, true);
  const parts = [{ product_id: id, quantity: 1 }];
  const bundle = await bundleWas(shop, 5 * 60, { price: 5000, products: parts });
  await bundleWas(shop, 4 * 60, { price: 5, products: parts }, bundle);
  await bundleWas(shop, 3 * 60, { price: 5500, products: parts, is_correction: true }, bundle);
  const token = await newTill(shop);
  const sell = async (product: number, price: number) =>
    (await call(SELL, { token, json: saleOfMinutesAgo(shop, 2.5 * 60, product, price) })).status;
  expect([await sell(id, 5000), await sell(id, 50), await sell(id, 6000)]).toEqual([200, 422, 200]);
  expect([await sell(dear, 12_500), await sell(dear, 125), await sell(dear, 12_600)]).toEqual([
    200, 422, 200,
  ]);
  const packed = async (price: number) =>
    (await call(SELL, { token, json: bundlesAgo(shop, 2.5 * 60, bundle, price) })).status;
  expect([await packed(5000), await packed(5), await packed(5500)]).toEqual([200, 422, 200]);
});

test('its lines and bundles name their prices, but those of a hold, whose price stands and needs no moment', async () => {
  const { shop, id } = await oldShop();
  const parts = [{ product_id: id, quantity: 1 }];
  const bundle_id = await make(BUNDLES, shop.director, { name: 'Set', price: 5000, products: parts });
  const bare = { products: [{ product_id: id, sold_quantity: 1 }] };
  const both = saleOfMinutesAgo(shop, 60, id, 10_000, { ...bare, bundles: [{ bundle_id }] });
  expect(await errorsOf(SELL, shop.director, both)).toMatchObject({
    'products.0.price': REQUIRED,
    'bundles.0.price': REQUIRED,
  });
  const hold_id = (await holdGoods(shop, { products: parts })).number('id');
  const whole = (await holdGoods(shop, { products: parts })).number('id');
  await cardWas(shop, id, 0, { sale_price: 8000 });
  expect(await statusOf(shop, saleOfMinutesAgo(shop, 60, id, 5000, { hold_id, ...bare }))).toBe(200);
  expect(await statusOf(shop, saleOfMinutesAgo(shop, 60, id, 5000, { hold_id: whole, products: [] }))).toBe(
    200,
  );
});

test('of a desk that is not open no currency or price of a moment is revealed (Part 4, 4.4 (1))', async () => {
  const { shop, id } = await oldShop();
  const bundle = await bundleWas(shop, 10 * DAY, { price: 900, products: [{ product_id: id, quantity: 2 }] });
  const places = { cashbox_ids: [], stock_ids: [shop.stockId] };
  const rights = ['company.trade.sale.store', 'company.trade.sale.late'];
  const stranger = await newEmployee(shop, rights, places);
  for (const minutes of [60, 40 * DAY]) {
    for (const given of [{}, { currency: 'usd' }]) {
      const json = bundlesAgo(shop, minutes, bundle, 800, { key: 'till-1', ...given });
      const { status, body } = await call(SELL, { token: stranger, json });
      expect([status, Object.keys(Object(body).errors)]).toEqual([
        422,
        minutes === 60 ? ['cashbox_id'] : ['cashbox_id', 'sold_at'],
      ]);
    }
  }
});

test('forgotten history is reported on sold_at (Part 4, 4.4, 3)', async () => {
  const { shop, id } = await oldShop();
  expect(await errorsOf(SELL, shop.director, saleOfMinutesAgo(shop, 33 * DAY, id, 5000))).toEqual({
    sold_at: translate('ru', { key: 'sale.sold_at' }),
  });
});
