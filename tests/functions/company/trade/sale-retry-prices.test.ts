import { expect, test } from 'vitest';
import { translate } from '#lib/values/message.ts';
import { faultsOf } from '#tests/support/books.ts';
import { newEmployee } from '#tests/support/family.ts';
import { allCashOf, inCash, trySelling } from '#tests/support/foreign.ts';
import { call } from '#tests/support/http.ts';
import { offlineSaleBody, REFUSED, readRefused, sendOfflineSales } from '#tests/support/offline.ts';
import { currencyWas, oldGoods, oldShop, rateWas, timeAgo } from '#tests/support/past.ts';
import { errorsOf } from '#tests/support/records.ts';
import { sendReturn } from '#tests/support/returns.ts';
import type { Shop } from '#tests/support/shop.ts';

const ACCEPT = 'company.trade.sale.refused.accept-prices';
const RETRY = 'company.trade.sale.refused.retry';

/** Uploads an offline sale that is refused for its amounts, and returns its id. */
async function refuse(shop: Shop, product: number, given: object): Promise<number> {
  const [row] = await sendOfflineSales(shop, [offlineSaleBody(shop, product, 'old', given)]);
  expect(row).toMatchObject({ status: 422, refused_id: expect.any(Number) });
  return row?.refused_id ?? 0;
}

function accept(shop: Shop, id: number, json: object = {}, token = shop.director) {
  return call(`PATCH ${REFUSED}/${id}/retry`, { token, json: { accept_prices: true, ...json } });
}

async function saleOf({ director: token }: Shop, id: number) {
  return (await call(`GET /company/trade/sale/${id}`, { token })).body;
}

test('accept_prices takes prices and discounts as they were sent, whatever prices, minimums and rights say (Part 4, 4.4 (5))', async () => {
  const { shop, id: first } = await oldShop({ min_price: 4500 });
  const second = await oldGoods(shop, { min_price_percent: 50, sale_price: 900 });
  const parts = [{ product_id: second, quantity: 2 }];
  const json = { name: 'Set', price: 1800, products: parts };
  const bundle_id = (await call('POST /company/product/bundle', { token: shop.director, json })).number('id');
  const products = [
    { product_id: first, sold_quantity: 1, price: 100, discount: 40 },
    { product_id: second, sold_quantity: 3, price: 0.5 },
  ];
  const given = { products, bundles: [{ bundle_id, price: 3, discount: 1 }], transactions: [inCash(63.5)] };
  const id = await refuse(shop, first, given);
  const places = { cashbox_ids: [shop.cashboxId], stock_ids: [shop.stockId] };
  const plain = await newEmployee(shop, [RETRY], places);
  const forbidden = { accept_prices: translate('ru', { key: 'refused_sale.accept_forbidden' }) };
  expect(await errorsOf(`PATCH ${REFUSED}/${id}/retry`, plain, { accept_prices: true })).toEqual(forbidden);
  const trusted = await newEmployee(shop, [RETRY, ACCEPT], places);
  const sold = await accept(shop, id, {}, trusted);
  expect(sold).toMatchObject({ status: 200, body: { status: 'sold' } });
  expect(await saleOf(shop, sold.number('sale_id'))).toMatchObject({
    sold_amount: 63.5,
    discount_amount: 41,
    products: [
      { price: 100, discount: 40, amount: 60 },
      { price: 0.5, amount: 1.5 },
      { bundle_id, amount: 2 },
    ],
  });
  expect(await faultsOf(shop)).toEqual([]);
});

test('all else is that of sold_at: goods, payments, a discount above the amount, the sale currency (Part 4, 4.4 (5); Contract 9.99)', async () => {
  const { shop, id: product } = await oldShop();
  await currencyWas(shop, 'usd', 30 * 60);
  await currencyWas(shop, 'uzs', 30);
  const id = await refuse(shop, product, { currency: 'uzs' });
  expect(Object.keys(Object(await accept(shop, id)).body.errors)).toEqual(['currency']);
  const line = { product_id: product, sold_quantity: 1, price: 2 };
  const body = offlineSaleBody(shop, product, 'old', {
    sold_at: undefined,
    currency: 'usd',
    products: [line],
  });
  const wrong = [
    [{ transactions: [inCash(1)] }, 'transactions'],
    [{ products: [{ ...line, discount: 3 }], transactions: [] }, 'products.0.discount'],
    [
      { products: [{ ...line, sold_quantity: 1001 }], transactions: [inCash(2002)] },
      'products.0.sold_quantity',
    ],
    [{ products: [{ ...line, price: undefined }], transactions: [inCash(2)] }, 'products.0.price'],
  ] as const;
  for (const [given, path] of wrong) {
    expect(Object.keys(Object(await accept(shop, id, { ...body, ...given })).body.errors)).toContain(path);
  }
  expect(await accept(shop, id, { ...body, transactions: [inCash(2)] })).toMatchObject({ status: 200 });
  expect(await faultsOf(shop)).toEqual([]);
});

/** Creates a shop with sums in its desk, whose dollar and euro were other ones when it sold. */
async function newTill() {
  const { shop, id } = await oldShop();
  await trySelling(shop, [id, 40], [inCash(200_000)]);
  await rateWas(shop, 'usd', 10 * 60, 12_500);
  await rateWas(shop, 'eur', 10 * 60, 15_000);
  await rateWas(shop, 'usd', 30, 13_000);
  return { shop, id };
}

test('accepted with change_amount, foreign cash counts for total + change − other payments, shared by its worth (Contract 9.99)', async () => {
  const { shop, id: product } = await newTill();
  const products = [{ product_id: product, sold_quantity: 5, price: 5100 }];
  const transactions = [inCash(1, 'usd'), inCash(1, 'eur'), { payment_type: 'card', amount: 1000 }];
  const id = await refuse(shop, product, { products, transactions, change_amount: 9000 });
  const sold = await accept(shop, id);
  expect(sold).toMatchObject({ status: 200 });
  // 25 500 + 9000 − 1000 = 33 500, by 12 500 to 15 000.
  expect(await saleOf(shop, sold.number('sale_id'))).toMatchObject({
    change_amount: 9000,
    received_amount: 25_500,
    transactions: [{ counted_amount: 15_227.27 }, { counted_amount: 18_272.73 }, { counted_amount: 1000 }],
    payment_rates: { uzs: 1, usd: 15_227.27, eur: 18_272.73 },
  });
  expect(await allCashOf(shop)).toMatchObject({ uzs: 191_000, usd: 1, eur: 1 });
  expect(await faultsOf(shop)).toEqual([]);
});

test('accepted cash that no rate comes to counts for what it was taken for, and goes back so (Part 4, 4.6 (1); Contract 9.99)', async () => {
  const { shop, id: product } = await newTill();
  const products = [{ product_id: product, sold_quantity: 1, price: 3_794_999.01 }];
  const given = { products, transactions: [inCash(300, 'usd')], change_amount: 0 };
  const sale = (await accept(shop, await refuse(shop, product, given))).number('sale_id');
  expect(await saleOf(shop, sale)).toMatchObject({
    transactions: [{ counted_amount: 3_794_999.01 }],
    payment_rates: { uzs: 1, usd: 12_650 },
  });
  expect(await faultsOf(shop)).toEqual([]);
  const whole = await sendReturn(shop, sale, { transactions: [inCash(300, 'usd')] });
  expect(whole).toMatchObject({ status: 200, body: { paid_out_amount: 3_794_999.01 } });
  expect(await allCashOf(shop)).toMatchObject({ uzs: 200_000, usd: 0 });
  expect(await faultsOf(shop)).toEqual([]);
});

test('accepted with change_amount, cash that counts for 0 or by a rate of 0 is 422 on its currency (Part 4, 4.6 (1))', async () => {
  const { shop, id: product } = await newTill();
  const nothing = translate('ru', { key: 'sale.foreign_too_little' });
  const cases: [number, number, object[], string][] = [
    [0.01, 0, [inCash(0.01, 'usd'), inCash(0.01, 'eur')], 'transactions.0.currency'],
    [42, 0, [inCash(30_000, 'usd')], 'transactions.0.currency'],
  ];
  for (const [price, change_amount, transactions, path] of cases) {
    const products = [{ product_id: product, sold_quantity: 1, price }];
    const key = `nothing-${price}`;
    const id = await refuse(shop, product, { key, products, transactions, change_amount });
    expect(Object(await accept(shop, id)).body.errors).toEqual({ [path]: [nothing] });
  }
  expect(await faultsOf(shop)).toEqual([]);
});

test('accepted without change_amount, foreign cash counts by the rates of sold_at (Contract 9.99)', async () => {
  const { shop, id: product } = await newTill();
  const products = [{ product_id: product, sold_quantity: 1, price: 12_000 }];
  const id = await refuse(shop, product, { products, transactions: [inCash(1, 'usd')] });
  const sold = await accept(shop, id);
  expect(await saleOf(shop, sold.number('sale_id'))).toMatchObject({
    change_amount: 500,
    transactions: [{ counted_amount: 12_500 }],
    payment_rates: { uzs: 1, usd: 12_500 },
  });
  expect(await faultsOf(shop)).toEqual([]);
});

test('accepted as of now it is that of when it happened, its rates too (Part 4, 4.4 (5); Contract 9.99)', async () => {
  const { shop, id: product } = await newTill();
  const products = [{ product_id: product, sold_quantity: 1, price: 12_000 }];
  const given = { products, transactions: [inCash(1, 'usd')], sold_at: timeAgo(45) };
  const id = await refuse(shop, product, given);
  const sold = await accept(shop, id, { as_of_now: true });
  expect(sold).toMatchObject({ status: 200 });
  const { sold_at } = Object((await readRefused(shop, id)).bodies[0]);
  expect(await saleOf(shop, sold.number('sale_id'))).toMatchObject({
    happened_at: sold_at,
    payment_rates: { usd: 12_500 },
    rates: { usd: 13_000 },
  });
});
