import { expect, test } from 'vitest';
import { translate } from '#lib/values/message.ts';
import { renderInstant } from '#lib/values/time.ts';
import { newEmployee } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { cardWas, oldGoods, oldShop, saleOfMinutesAgo } from '#tests/support/past.ts';
import { errorsOf, REQUIRED } from '#tests/support/records.ts';
import { reprice, repricingRow } from '#tests/support/repricing.ts';
import { newGoods, newShop, saleBody } from '#tests/support/shop.ts';
import { newTrackedProduct } from '#tests/support/tracking-codes.ts';
import { holdGoods } from '#tests/support/trade.ts';

const SELL = 'POST /company/trade/sale';
const DAY = 24 * 60;

function paying(amount: number) {
  return { transactions: [{ payment_type: 'cash', amount }] };
}

/**
 * Holds one piece at 5000 and reprices the product to 9000; the cashier may neither name prices nor give a
 * discount.
 */
async function newDearer(given: object = {}) {
  const shop = await newShop();
  const water = await newGoods(shop, [{ quantity: 50, cost: 1000 }], given);
  const hold = (await holdGoods(shop, { products: [{ product_id: water, quantity: 1 }] })).number('id');
  await reprice(shop, [repricingRow(water, { sale_price: 9000 })]);
  const places = { cashbox_ids: [shop.cashboxId], stock_ids: [shop.stockId] };
  const cashier = await newEmployee(shop, ['company.trade.sale.store'], places);
  const json = (amount: number, line: object) => {
    const products = [{ product_id: water, sold_quantity: 40, ...line }];
    return saleBody(shop, { hold_id: hold, products, ...paying(amount) });
  };
  return { ...shop, water, hold, cashier, json };
}

test('the held price is that of the held quantity: a line of more becomes two, the held one first (Contract 9.109)', async () => {
  const { director, cashier, json } = await newDearer();
  expect(await errorsOf(SELL, cashier, json(200_000, {}))).toEqual({
    transactions: translate('ru', { key: 'sale.payments_differ', with: { total: 356_000 } }),
  });
  const sold = await call(SELL, { token: cashier, json: json(356_000, {}) });
  expect(sold).toMatchObject({ status: 200, body: { products_count: 2, sold_amount: 356_000 } });
  expect(
    (await call(`GET /company/trade/sale/${sold.number('id')}`, { token: director })).body,
  ).toMatchObject({
    products: [
      { sold_quantity: 1, price: 5000, amount: 5000 },
      { sold_quantity: 39, price: 9000, amount: 351_000 },
    ],
  });
});

test('a price counts for what is above the held quantity, and is judged for that (Contract 9.109)', async () => {
  const fixed = await newDearer();
  expect(await errorsOf(SELL, fixed.director, fixed.json(317_000, { price: 8000 }))).toEqual({
    'products.0.price': translate('ru', { key: 'sale.price_fixed' }),
  });
  const free = await newDearer({ is_free_price: true, min_price: 5000 });
  expect(Object.keys(await errorsOf(SELL, free.director, free.json(1, { price: 4999 })))).toContain(
    'products.0.price',
  );
  const sold = await call(SELL, { token: free.director, json: free.json(317_000, { price: 8000 }) });
  expect(sold.body).toMatchObject({ sold_amount: 317_000 });
});

test('a discount is shared by the amounts of the two lines (Contract 9.109)', async () => {
  const { director, json } = await newDearer();
  const sold = await call(SELL, { token: director, json: json(352_440, { discount: 3560 }) });
  const { body } = await call(`GET /company/trade/sale/${sold.number('id')}`, { token: director });
  expect(body).toMatchObject({
    discount_amount: 3560,
    products: [
      { amount: 4950, discount: 50 },
      { amount: 347_490, discount: 3510 },
    ],
  });
});

test('a late sale names the price of what is above the held quantity (Contract 9.109)', async () => {
  const { director, json } = await newDearer();
  const offline = { ...json(356_000, {}), sold_at: renderInstant(Date.now() - 60_000) };
  expect(await errorsOf(SELL, director, offline)).toEqual({ 'products.0.price': REQUIRED });
});

test('of a late sale the held part keeps its price, and what is above goes by its moment (Contract 9.96, 9.109)', async () => {
  const { shop, id } = await oldShop();
  const hold = (await holdGoods(shop, { products: [{ product_id: id, quantity: 3 }] })).number('id');
  await cardWas(shop, id, 3 * DAY, { sale_price: 7000 });
  await cardWas(shop, id, 30, { sale_price: 9000 });
  const sell = (sold_quantity: number, price: number | undefined, amount: number) =>
    saleOfMinutesAgo(shop, 60, id, amount, {
      hold_id: hold,
      products: [{ product_id: id, sold_quantity, ...(price !== undefined && { price }) }],
    });
  const fixed = { 'products.0.price': translate('ru', { key: 'sale.price_fixed' }) };
  for (const price of [5000, 9000]) {
    expect(await errorsOf(SELL, shop.director, sell(5, price, 15_000 + 2 * price))).toMatchObject(fixed);
  }
  expect(await errorsOf(SELL, shop.director, sell(5, undefined, 29_000))).toEqual({
    'products.0.price': REQUIRED,
  });
  const sold = await call(SELL, { token: shop.director, json: sell(5, 7000, 29_000) });
  expect(sold).toMatchObject({ status: 200, body: { sold_amount: 29_000 } });
  expect(
    (await call(`GET /company/trade/sale/${sold.number('id')}`, { token: shop.director })).body,
  ).toMatchObject({
    products: [
      { sold_quantity: 3, price: 5000, amount: 15_000 },
      { sold_quantity: 2, price: 7000, amount: 14_000 },
    ],
  });
});

test('of a late sale what a hold has whole needs no price, no moment and no name in the body (Contract 9.96, 9.109, 9.145)', async () => {
  const { shop, id } = await oldShop();
  const other = await oldGoods(shop);
  const held = [
    { product_id: id, quantity: 3 },
    { product_id: other, quantity: 1 },
  ];
  const hold = (await holdGoods(shop, { products: held })).number('id');
  await cardWas(shop, id, 3 * DAY, { sale_price: 7000 });
  const products = [
    { product_id: id, sold_quantity: 2, price: 1 },
    { product_id: other, sold_quantity: 2, price: 5000 },
  ];
  const json = saleOfMinutesAgo(shop, 60, id, 20_000, { hold_id: hold, products });
  expect(await call(SELL, { token: shop.director, json })).toMatchObject({
    status: 200,
    body: { sold_amount: 20_000, products_count: 3 },
  });
});

test('marks of a line that becomes two go to the held one first (Contract 9.109)', async () => {
  const shop = await newShop();
  const product_id = await newTrackedProduct(shop);
  const hold_id = (await holdGoods(shop, { products: [{ product_id, quantity: 2 }] })).number('id');
  const sold = (marks: string[]) =>
    call(SELL, {
      token: shop.director,
      json: saleBody(shop, { hold_id, products: [{ product_id, sold_quantity: 3, marks }], ...paying(3) }),
    });
  const count = translate('ru', { key: 'sale.marks_count', with: { count: 3 } });
  expect((await sold(['a', 'b'])).body).toMatchObject({ errors: { 'products.0.marks': [count] } });
  const { body } = await call(`GET /company/trade/sale/${(await sold(['a', 'b', 'c'])).number('id')}`, {
    token: shop.director,
  });
  expect(body).toMatchObject({ products: [{ marks: ['a', 'b'] }, { marks: ['c'] }] });
});
