import { beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { newMeter, roundTripsOf, runInContext } from '#lib/table/request-context.ts';
import { list, SaleList } from '#lib/trade/sale/read.ts';
import { directorAs } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { make } from '#tests/support/records.ts';
import { REPRICINGS, reprice, repricingRow } from '#tests/support/repricing.ts';
import { newShop, type Shop, sellOne } from '#tests/support/shop.ts';
import { newCards, newWarehouse, PURCHASES, receiveGoods } from '#tests/support/stock.ts';
import { holdGoods } from '#tests/support/trade.ts';
import { TRANSFERS } from '#tests/support/transfers.ts';
import { lineIdsOf, WRITE_OFFS } from '#tests/support/write-offs.ts';

const HOLDS = '/company/trade/hold';
const SALES = '/company/trade/sale';
const LISTS = [SALES, HOLDS, PURCHASES, WRITE_OFFS, TRANSFERS, REPRICINGS];

const Line = z.looseObject({ id: z.int(), amount: z.number().optional() });
const Lined = z.looseObject({ products: z.array(Line), amount: z.number().optional() });
const Rows = z.object({ data: z.array(z.looseObject({ id: z.int() })) });

let shop: Shop;

/** Creates a shop of this file's own with a document of each kind, of two products. */
beforeAll(async () => {
  shop = await newShop();
  const { director: token, stockId } = shop;
  const goods = await newCards(shop, 2);
  const products = goods.map((product_id) => ({ product_id, quantity: 20, cost: 2 }));
  const receipt = await receiveGoods(token, { stock_id: stockId, products });
  const [second, batches] = await Promise.all([newWarehouse(token, 'Второй'), lineIdsOf(token, receipt)]);
  const pieces = goods.map((product_id) => ({ product_id, quantity: 2 }));
  await make(TRANSFERS, token, { from_stock_id: stockId, to_stock_id: second, products: pieces });
  const written = pieces.map((piece, index) => ({ ...piece, source_product_id: batches[index] }));
  const reasoned = written.map((line) => ({ ...line, reason: 'common_loss' }));
  await make(WRITE_OFFS, token, {
    source_type: 'stock',
    source_id: stockId,
    name: 'Бой',
    products: reasoned,
  });
  expect((await holdGoods(shop, { products: pieces })).status).toBe(200);
  expect((await sellOne(shop, goods[0] ?? 0, 1, 5000)).status).toBe(200);
  await reprice(
    shop,
    goods.map((id) => repricingRow(id)),
  );
});

test.each(LISTS)(
  '%s gives with[]=products the lines of each row, without cards (Part 4, 4.1)',
  async (path) => {
    const { director: token } = shop;
    const plain = Rows.parse((await call(`GET ${path}`, { token })).body).data[0];
    const listed = Rows.parse((await call(`GET ${path}?with[]=products`, { token })).body).data[0];
    const one = Lined.parse((await call(`GET ${path}/${listed?.id}`, { token })).body);
    const lines = one.products.map(({ product: _, ...line }) => line);
    expect(lines.length).toBeGreaterThan(0);
    expect(plain).not.toHaveProperty('products');
    expect(listed).toEqual({ ...plain, products: lines });
  },
);

test.each(LISTS)('%s takes with[]=products on pages of up to twenty rows', async (path) => {
  const ask = (size: number) =>
    call(`GET ${path}?with[]=products&page-size=${size}`, { token: shop.director });
  expect((await ask(20)).status).toBe(200);
  expect(await ask(21)).toMatchObject({
    status: 422,
    body: { errors: { 'page-size': [expect.any(String)] } },
  });
});

test('lines stand beside what else was asked for', async () => {
  const query = 'with[]=products&with[]=creator.profile&with[]=stock';
  const { body } = await call(`GET ${PURCHASES}?${query}`, { token: shop.director });
  expect(body).toMatchObject({
    data: [{ creator: { id: shop.directorId }, stock: { id: shop.stockId }, products: [{}, {}] }],
  });
});

test('of a repricing with[]=products.product shows cards as before, with[]=products more lines', async () => {
  const query = 'with[]=products.product&with[]=products';
  const { body } = await call(`GET ${REPRICINGS}?${query}`, { token: shop.director });
  expect(body).toMatchObject({ data: [{ products: [{ product: {} }, { product: {} }] }] });
});

test('of each row the first hundred lines are shown', async () => {
  const { director: token, stockId } = shop;
  const cards = await Promise.all([newCards(shop, 60), newCards(shop, 60)]);
  const products = cards.flat().map((product_id) => ({ product_id, quantity: 1, cost: 2 }));
  const id = await make(PURCHASES, token, { currency: 'uzs', stock_id: stockId, products });
  const { body } = await call(`GET ${PURCHASES}?with[]=products&filter[id]=${id}`, { token });
  const [row] = z.object({ data: z.array(Lined) }).parse(body).data;
  expect(row?.products.map((line) => line.id)).toEqual((await lineIdsOf(token, id)).slice(0, 100));
});

test('lines are of the same moment as their row, with concurrent edits', async () => {
  const { director: token, stockId: stock_id } = shop;
  const cards = await newCards(shop, 3);
  const receiptOf = (quantity: number) => ({
    ...{ currency: 'uzs', stock_id },
    products: cards.map((product_id) => ({ product_id, quantity, cost: quantity })),
  });
  const id = await make(PURCHASES, token, receiptOf(1));
  const edits = async () => {
    for (let quantity = 2; quantity < 12; quantity++)
      await call(`PUT ${PURCHASES}/${id}`, { token, json: receiptOf(quantity) });
  };
  const looks = async () => {
    for (let look = 0; look < 20; look++) {
      const { body } = await call(`GET ${PURCHASES}?with[]=products&filter[id]=${id}`, { token });
      const [row] = z.object({ data: z.array(Lined) }).parse(body).data;
      const sum = row?.products.reduce((total, { amount = 0 }) => total + amount, 0);
      expect(sum).toBe(row?.amount);
    }
  };
  await Promise.all([edits(), looks()]);
});

test('the lines of twenty sales are read in one wave, and looked at once more in another', async () => {
  const actor = directorAs(shop.directorId, shop.companyId);
  const tripsOf = async (query: object) => {
    const meter = newMeter();
    await runInContext({ meter }, () => list(actor, SaleList.parse(query)));
    return roundTripsOf(meter);
  };
  expect((await tripsOf({ with: ['products'] })) - (await tripsOf({}))).toBe(2);
});
