import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { card } from '#tests/support/catalog.ts';
import { call } from '#tests/support/http.ts';
import { idsOf } from '#tests/support/records.ts';
import {
  cardOf,
  historyOf,
  PRODUCTS,
  REPRICINGS,
  rateOf,
  reprice,
  repricingRow,
  sendBatch,
} from '#tests/support/repricing.ts';
import { newGoods, newShop, type Shop } from '#tests/support/shop.ts';
import { newCards } from '#tests/support/stock.ts';

let shop: Shop;

beforeEach(async () => {
  shop = await newShop();
});

test('the same batch sent again with its key is made once and answered alike', async () => {
  const water = await newGoods(shop, []);
  const headers = { 'idempotency-key': randomUUID() };
  const first = await sendBatch(shop, [repricingRow(water)], {}, headers);
  const second = await sendBatch(shop, [repricingRow(water)], {}, headers);
  expect(second.body).toEqual(first.body);
  expect(second.headers.get('idempotent-replayed')).toBe('true');
  expect((await sendBatch(shop, [repricingRow(water, { sale_price: 1 })], {}, headers)).status).toBe(409);
  expect(await idsOf(REPRICINGS, shop.director)).toEqual([first.number('id')]);
});

test('two batches of one product at once both count: the second tells the price of the first', async () => {
  const water = await newGoods(shop, []);
  const [one, two] = await Promise.all([
    reprice(shop, [repricingRow(water, { sale_price: 6000 })]),
    reprice(shop, [repricingRow(water, { sale_price: 7000 })]),
  ]);
  const lines = [...one.products, ...two.products];
  const previous = lines.map(({ previous_price }) => previous_price).toSorted();
  const last = lines.find(({ previous_price }) => previous_price !== 5000);
  expect(previous[0]).toBe(5000);
  expect([6000, 7000]).toContain(previous[1]);
  expect(await cardOf(shop, water)).toMatchObject({ sale_price: last?.['sale_price'] });
});

test('a batch and an edit of the card at the same moment are both kept', async () => {
  const water = await newGoods(shop, [], { barcode: '4780' });
  const json = card(shop.catalog, { barcode: '4780', name: 'Soda', sale_price: 5500 });
  const [batch, edited] = await Promise.all([
    sendBatch(shop, [repricingRow(water, { min_price: 10 })]),
    call(`PUT ${PRODUCTS}/${water}`, { token: shop.director, json }),
  ]);
  expect([batch.status, edited.status]).toEqual([200, 200]);
  expect(await cardOf(shop, water)).toMatchObject({ name: 'Soda' });
  const Told = z.object({
    data: z.array(
      z.object({ products: z.array(z.object({ previous_price: z.number(), sale_price: z.number() })) }),
    ),
  });
  const history = Told.parse(await historyOf(shop, 'with[]=products.product')).data.flatMap(
    ({ products }) => products,
  );
  const [first, second] = history.toSorted((a) => (a.previous_price === 5000 ? -1 : 1));
  expect(first?.previous_price).toBe(5000);
  expect(second?.previous_price).toBe(first?.sale_price);
  expect(await cardOf(shop, water)).toMatchObject({ sale_price: second?.sale_price });
});

test('a batch of 1 050 rows is made at once; it shows the first thousand lines and a hundred cards, and all of them by pages', async () => {
  const ids = (
    await Promise.all(Array.from({ length: 11 }, (_, part) => newCards(shop, part < 10 ? 100 : 50)))
  ).flat();
  const rows = ids.map((id, index) =>
    repricingRow(id, { sale_price: 6000 + index, markup_percent: 1 + index }),
  );
  const headers = { 'idempotency-key': randomUUID() };
  const first = await sendBatch(shop, rows, { currency_rate: 12_900 }, headers);
  expect(first.status).toBe(200);
  expect((await sendBatch(shop, rows, { currency_rate: 12_900 }, headers)).body).toEqual(first.body);
  const Whole = z.object({
    id: z.int(),
    products_count: z.int(),
    products: z.array(z.looseObject({ product_id: z.int(), product: z.unknown().optional() })),
  });
  const batch = `${REPRICINGS}/${first.number('id')}`;
  const { id, products_count, products } = Whole.parse(
    (await call(`GET ${batch}`, { token: shop.director })).body,
  );
  expect([id, products_count, products.length]).toEqual([first.number('id'), 1050, 1000]);
  expect(products.map(({ product_id }) => product_id)).toEqual(ids.slice(0, 1000));
  expect(products.filter(({ product }) => product !== undefined)).toHaveLength(100);
  const Page = z.object({ data: z.array(z.looseObject({ product_id: z.int(), product: z.object({}) })) });
  const pageOf = async (query: string) => {
    const { body } = await call(`GET ${batch}/products?${query}`, { token: shop.director });
    return Page.parse(body).data.map(({ product_id }) => product_id);
  };
  expect(await pageOf('page=11&page-size=100')).toEqual(ids.slice(1000));
  expect(await pageOf('page=2&page-size=70')).toEqual(ids.slice(70, 140));
  expect(await pageOf('page=12&page-size=100')).toEqual([]);
  expect(await cardOf(shop, ids[1049] ?? 0)).toMatchObject({ sale_price: 7049 });
  expect(await rateOf(shop, 'usd')).toBe(12_900);
});
