import { beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { translate } from '#lib/values/message.ts';
import { renderInstant } from '#lib/values/time.ts';
import { newClerk } from '#tests/support/costs.ts';
import { inCash } from '#tests/support/foreign.ts';
import { call } from '#tests/support/http.ts';
import { offlineSaleBody, REFUSED, sendOfflineSales } from '#tests/support/offline.ts';
import { make } from '#tests/support/records.ts';
import { PRODUCTS, REPRICINGS, repricingRow } from '#tests/support/repricing.ts';
import { newGoods, newShop, type Shop, saleBody } from '#tests/support/shop.ts';
import { PURCHASES } from '#tests/support/stock.ts';

/*
 * A product that cost 800 and may be sold for 10 percent more at least: its floor of 880 reveals the cost.
 */

const FREE = { sale_price: 1000, is_free_price: true };
const HIDDEN = translate('ru', { key: 'sale.price_too_low', with: { variant: 'hidden' } });

let shop: Shop;
let clerk: string;
let product: number;

beforeAll(async () => {
  shop = await newShop();
  clerk = await newClerk(shop, { cashbox_ids: [shop.cashboxId], stock_ids: [shop.stockId] });
  product = await newGoods(shop, [{ quantity: 100, cost: 800 }], { ...FREE, min_price_percent: 10 });
});

function sell(token: string, price: number, product_id = product, given: object = {}) {
  const products = [{ product_id, sold_quantity: 1, price }];
  return call('POST /company/trade/sale', {
    token,
    json: saleBody(shop, { products, transactions: [inCash(price)], ...given }),
  });
}

test('a price below a floor by cost is refused without the floor (Part 5, 5A.13)', async () => {
  const seen = await sell(shop.director, 850);
  expect(seen).toMatchObject({ status: 422, body: { params: { 'products.0.price': [{ min: 880 }] } } });
  const { status, body } = await sell(clerk, 850);
  expect({ status, body }).toMatchObject({
    status: 422,
    body: {
      message: HIDDEN,
      errors: { 'products.0.price': [HIDDEN] },
      codes: { 'products.0.price': ['sale.price_too_low'] },
      params: { 'products.0.price': [{}] },
    },
  });
  expect(JSON.stringify(body)).not.toContain('880');
});

test('a floor by the minimum price of the card is named to everybody (Part 5, 5A.13)', async () => {
  const bounds = { min_price: 900, min_price_percent: 10 };
  const bound = await newGoods(shop, [{ quantity: 10, cost: 800 }], { ...FREE, ...bounds });
  const { body } = await sell(clerk, 850, bound);
  expect(body).toMatchObject({ params: { 'products.0.price': [{ min: 900 }] } });
});

test('a discount that passes is not named if it reveals a floor by cost (Part 5, 5A.13)', async () => {
  const discount = { discount: { amount: 300 } };
  const [seen, hidden] = [
    await sell(shop.director, 1000, product, discount),
    await sell(clerk, 1000, product, discount),
  ];
  expect(seen.body).toMatchObject({ params: { discount: [{ max: 120 }] } });
  expect(hidden).toMatchObject({ status: 422, body: { codes: { discount: ['sale.cheque_discount'] } } });
  expect(hidden.body).toMatchObject({ params: { discount: [{}] } });
  expect(JSON.stringify(hidden.body)).not.toContain('120');
});

test('a late sale that waits shows its floor to those who may see costs (Part 5, 5A.13)', async () => {
  const sold_at = renderInstant(Date.now() - 60_000);
  const products = [{ product_id: product, sold_quantity: 1, price: 850, discount: 0 }];
  const late = offlineSaleBody(shop, product, 'low', { sold_at, products, transactions: [inCash(850)] });
  const [entry] = await sendOfflineSales(shop, [late], clerk);
  expect(entry).toMatchObject({ status: 422, params: { 'products.0.price': [{}] } });
  const id = z.object({ refused_id: z.int() }).parse(entry).refused_id;
  const read = async (token: string) => (await call(`GET ${REFUSED}/${id}`, { token })).body;
  expect(await read(shop.director)).toMatchObject({ params: { 'products.0.price': [{ min: 880 }] } });
  expect(await read(clerk)).toMatchObject({ params: { 'products.0.price': [{}] } });
  expect(await read(clerk)).toMatchObject({ errors: { 'products.0.price': [HIDDEN] } });
});

test('a receipt that keeps a cost is refused without the floor of it (Part 5, 5A.13)', async () => {
  const line = { product_id: product, quantity: 1, cost: 700 };
  const draft = { stock_id: shop.stockId, currency: 'uzs', products: [line] };
  const id = await make(PURCHASES, shop.director, draft);
  const { body } = await call(`GET ${PURCHASES}/${id}`, { token: clerk });
  const [kept] = z.object({ products: z.array(z.object({ id: z.int() })) }).parse(body).products;
  const products = [{ id: kept?.id, product_id: product, quantity: 1, sale_price: 705 }];
  const edited = await call(`PUT ${PURCHASES}/${id}`, { token: clerk, json: { ...draft, products } });
  expect(edited).toMatchObject({ status: 422, body: { params: { 'products.0.sale_price': [{}] } } });
});

test('a repricing skips a row below its cost without the cost (Part 5, 5A.13)', async () => {
  const token = clerk;
  const row = repricingRow(product, { sale_price: 2000, min_price: 500 });
  const { status, body } = await call(`POST ${REPRICINGS}`, {
    token,
    json: { company_id: shop.companyId, products: [row] },
  });
  expect(status).toBe(422);
  expect(JSON.stringify(body)).not.toContain('800');
  const other = await newGoods(shop, [], { sale_price: 1000 });
  const json = { company_id: shop.companyId, products: [row, repricingRow(other, { sale_price: 2000 })] };
  const made = await call(`POST ${REPRICINGS}`, { token, json });
  const text = translate('ru', { key: 'repricing.min_price_below_cost', with: { variant: 'hidden' } });
  expect(made.body).toMatchObject({ skipped_products: [{ cost: null, text }] });
});

test('a card whose percent is above its price is refused without the sum (Part 5, 5A.13)', async () => {
  const patch = (token: string) =>
    call(`PATCH ${PRODUCTS}/${product}`, { token, json: { min_price_percent: 50 } });
  expect((await patch(shop.director)).body).toMatchObject({ params: { min_price_percent: [{ min: 1200 }] } });
  expect((await patch(clerk)).body).toMatchObject({
    codes: { min_price_percent: ['product.percent_above_price'] },
    params: { min_price_percent: [{}] },
  });
});
