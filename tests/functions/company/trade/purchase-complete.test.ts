import { expect, test } from 'vitest';
import * as z from 'zod';
import { makerOf } from '#lib/auth/actor.ts';
import type { BatchPart } from '#lib/stock/batch-part.ts';
import { readStockLevels } from '#lib/stock/stock-levels.ts';
import { familyTenant } from '#lib/table/keys.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import { ONE } from '#lib/values/quantity.ts';
import { newFamily } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { errorWith, make } from '#tests/support/records.ts';
import { NO_GOODS_RECEIPT } from '#tests/support/shop.ts';
import {
  movementsSeen,
  newCards,
  newWarehouse,
  PURCHASES,
  receiveGoods,
  stockLevelsOf,
} from '#tests/support/stock.ts';
import { lineIdsOf } from '#tests/support/write-offs.ts';

const SUPPLIERS = '/company/stock/supplier';
const PRODUCTS = '/company/product/product';

async function newShop(count: number) {
  const family = await newFamily();
  const token = family.director;
  const [goods, stock_id] = await Promise.all([newCards(family, count), newWarehouse(token)]);
  return { ...family, token, goods, stock_id };
}

const linesOf = (goods: readonly number[], given: object = {}) =>
  goods.map((product_id) => ({ product_id, quantity: 10, cost: 2, ...given }));

test('a completed receipt raises balances, with a batch and a movement for each line', async () => {
  const { token, goods, stock_id, companyId, directorId } = await newShop(1);
  const first = await receiveGoods(token, { stock_id, products: linesOf(goods, { quantity: 1.5 }) });
  const second = await receiveGoods(token, { stock_id, currency: 'usd', products: linesOf(goods) });
  const [[firstLine], [secondLine]] = await Promise.all([lineIdsOf(token, first), lineIdsOf(token, second)]);
  const list = await call('GET /company/stock/product?with[]=product&with[]=stock&with[]=company', {
    token,
  });
  expect(list.body).toMatchObject({
    data: [
      {
        id: expect.any(Number),
        company_id: companyId,
        stock_id,
        product_id: goods[0],
        quantity: 11.5,
        batches: [
          { id: firstLine, quantity: 1.5, cost: 2, currency: 'uzs' },
          { id: secondLine, quantity: 10, cost: 2, currency: 'usd' },
        ],
        product: { id: goods[0] },
        stock: { id: stock_id },
        company: { id: companyId },
      },
    ],
  });
  const movement = { document_type: 'purchase', creator_id: directorId };
  const movements = `GET /company/stock/product/${list.number('data.0.id')}/movements`;
  expect((await call(movements, { token })).body).toMatchObject({
    data: [
      {
        ...movement,
        document_id: second,
        line_id: secondLine,
        quantity: 10,
        quantity_before: 1.5,
        quantity_after: 11.5,
        batches: [{ id: secondLine, quantity: 10 }],
      },
      {
        ...movement,
        document_id: first,
        line_id: firstLine,
        quantity: 1.5,
        quantity_before: 0,
        quantity_after: 1.5,
      },
    ],
    meta: { total: 2 },
  });
  expect((await call(`GET ${PURCHASES}/${first}`, { token })).body).toMatchObject({
    status: 'completed',
    completed_at: expect.stringMatching(/^\d{4}-/),
  });
});

test('what is owed to the supplier grows by the total, in the currency of the receipt', async () => {
  const { token, goods, stock_id } = await newShop(2);
  const supplier_id = await make(SUPPLIERS, token, { name: 'Ферма' });
  await receiveGoods(token, { stock_id, supplier_id, products: linesOf(goods, { cost: 1.25 }) });
  await receiveGoods(token, { stock_id, supplier_id, currency: 'usd', products: linesOf(goods) });
  const { body } = await call(`GET ${SUPPLIERS}/${supplier_id}`, { token });
  expect(body).toMatchObject({ balances: { uzs: 25, usd: 40, eur: 0, rub: 0 } });
});

test('a given sale price becomes the product’s, and no other price changes', async () => {
  const { token, goods, stock_id } = await newShop(2);
  const [first, second] = goods;
  const products = [
    ...linesOf([first ?? 0], { sale_price: 70.5 }),
    ...linesOf([second ?? 0], { sale_price: null }),
  ];
  await receiveGoods(token, { stock_id, currency: 'usd', products });
  const priceOf = async (id = 0) => (await call(`GET ${PRODUCTS}/${id}`, { token })).body;
  expect(await priceOf(first)).toMatchObject({ sale_price: 70.5, sale_currency: 'uzs' });
  expect(await priceOf(second)).toMatchObject({ sale_price: 5000, sale_currency: 'uzs' });
});

test('250 lines are completed all at once', async () => {
  const { token, stock_id, goods, ...family } = await newShop(100);
  const more = [...goods, ...(await newCards(family, 100)), ...(await newCards(family, 50))];
  const supplier_id = await make(SUPPLIERS, token, { name: 'Ферма' });
  const id = await make(PURCHASES, token, {
    stock_id,
    supplier_id,
    currency: 'uzs',
    products: linesOf(more, { sale_price: 3 }),
  });
  const completing = call(`PATCH ${PURCHASES}/${id}/complete`, { token });
  // A concurrent reader sees all of it or nothing.
  const total = async () => {
    const { body } = await call('GET /company/stock/product?page-size=1', { token });
    return z.object({ meta: z.object({ total: z.int() }) }).parse(body).meta.total;
  };
  const seen = [await total(), await total()];
  expect((await completing).body).toEqual({ message: 'Успешно' });
  for (const each of [...seen, await total()]) expect([0, 250]).toContain(each);
  expect(await total()).toBe(250);
  const last = await stockLevelsOf(token, `filter[product_id]=${more.at(-1)}`);
  const lastLine = (await lineIdsOf(token, id)).at(-1);
  expect(last).toMatchObject([{ quantity: 10, batches: [{ id: lastLine, quantity: 10 }] }]);
  expect((await call(`GET ${SUPPLIERS}/${supplier_id}`, { token })).body).toMatchObject({
    balances: { uzs: 5000 },
  });
  expect((await call(`GET ${PRODUCTS}/${more.at(-1)}`, { token })).body).toMatchObject({ sale_price: 3 });
});

test('two completions at once count once', async () => {
  const { token, goods, stock_id } = await newShop(1);
  const supplier_id = await make(SUPPLIERS, token, { name: 'Ферма' });
  const id = await make(PURCHASES, token, {
    stock_id,
    supplier_id,
    currency: 'uzs',
    products: linesOf(goods),
  });
  const replies = await Promise.all(
    [1, 2, 3].map(() => call(`PATCH ${PURCHASES}/${id}/complete`, { token })),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  const [balance] = await stockLevelsOf(token);
  expect(balance).toMatchObject({ quantity: 10, batches: [{ quantity: 10 }] });
  expect(await movementsSeen(token, balance?.id ?? 0)).toHaveLength(1);
  expect((await call(`GET ${SUPPLIERS}/${supplier_id}`, { token })).body).toMatchObject({
    balances: { uzs: 20 },
  });
});

test('receipts of the same goods completed at once all count', async () => {
  const { token, goods, stock_id } = await newShop(3);
  await Promise.all([1, 2, 3, 4].map(() => receiveGoods(token, { stock_id, products: linesOf(goods) })));
  const balances = await stockLevelsOf(token);
  expect(balances.map(({ quantity }) => quantity)).toEqual([40, 40, 40]);
  for (const { id, quantity, batches } of balances) {
    const movements = await movementsSeen(token, id);
    expect(movements.reduce((sum, { quantity: change }) => sum + change, 0)).toBe(quantity);
    expect(batches).toHaveLength(4);
  }
});

test('a repeated call is answered again and done once', async () => {
  const { token, goods, stock_id } = await newShop(1);
  const json = { stock_id, currency: 'uzs', products: linesOf(goods) };
  const create = () => call(`POST ${PURCHASES}`, { token, json, headers: { 'Idempotency-Key': 'create' } });
  const [created, again] = [await create(), await create()];
  expect(again.body).toEqual(created.body);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(created.headers.get('idempotent-replayed')).toBeNull();
  const complete = () =>
    call(`PATCH ${PURCHASES}/${created.number('id')}/complete`, {
      token,
      headers: { 'Idempotency-Key': 'complete' },
    });
  const replies = [await complete(), await complete()];
  for (const reply of replies) {
    expect(reply).toMatchObject({ status: 200, body: { message: 'Успешно' } });
  }
  expect(replies[1]?.headers.get('idempotent-replayed')).toBe('true');
  expect(await stockLevelsOf(token)).toMatchObject([{ quantity: 10 }]);
});

test('a receipt is not completed if the supplier, the warehouse or a product is gone', async () => {
  const { token, goods, stock_id } = await newShop(2);
  const supplier_id = await make(SUPPLIERS, token, { name: 'Ферма' });
  const json = { stock_id, currency: 'uzs', products: linesOf(goods) };
  const withSupplier = await make(PURCHASES, token, { ...json, supplier_id });
  const without = await make(PURCHASES, token, json);
  const complete = (id: number) => call(`PATCH ${PURCHASES}/${id}/complete`, { token });
  await call(`DELETE ${SUPPLIERS}/${supplier_id}`, { token });
  expect(await complete(withSupplier)).toMatchObject({
    status: 400,
    body: { message: expect.stringMatching(/^Поставщик/) },
  });
  await call(`DELETE /company/stock/stock/${stock_id}`, { token });
  expect(await complete(without)).toMatchObject({
    status: 400,
    body: { message: expect.stringMatching(/^Склад/) },
  });
  await call(`DELETE /company/stock/stock/${stock_id}/restore`, { token });
  await call(`DELETE ${PRODUCTS}/${goods[1]}`, { token });
  expect(await complete(without)).toMatchObject({
    status: 400,
    body: { message: `Товар «Water ${goods[1]}» удалён: приход провести нельзя.` },
  });
  expect(await stockLevelsOf(token)).toEqual([]);
  await call(`DELETE ${PRODUCTS}/${goods[1]}/restore`, { token });
  expect((await complete(without)).status).toBe(200);
});

/** Puts a thousand batches of a product into a warehouse; the cost of each follows from its number. */
async function fill(
  { companyId, directorId, stock_id }: Awaited<ReturnType<typeof newShop>>,
  product: number,
  costOf: (index: number) => number,
) {
  const tenant = familyTenant(companyId);
  const stockLevels = await readStockLevels(tenant, stock_id, [product]);
  const warehouse = { id: stock_id, company_id: companyId };
  const at = Date.now();
  await stockLevels.addMissing(warehouse, [product], at);
  const parts = Array.from({ length: 1000 }, (_, index): BatchPart => {
    return { id: 1_000_000 + index, quantity: ONE, cost: costOf(index), currency: 'uzs', at: at + index };
  });
  const by = makerOf({ id: directorId });
  stockLevels.put(product, parts, {
    document: 'purchase',
    documentId: NO_GOODS_RECEIPT,
    lineId: NO_GOODS_RECEIPT,
    at,
    by,
  });
  await transact(stockLevels.writes(warehouse));
}

test('a product of a thousand batches has those of one cost merged by the next receipt', async () => {
  const shop = await newShop(1);
  await fill(shop, shop.goods[0] ?? 0, (index) => 1 + (index % 3));
  await receiveGoods(shop.token, { stock_id: shop.stock_id, products: linesOf(shop.goods, { cost: 0.01 }) });
  expect(await stockLevelsOf(shop.token)).toMatchObject([
    {
      quantity: 1010,
      batches: [
        { id: -1_000_000, quantity: 344, cost: 0.01 },
        { id: -1_000_001, quantity: 333, cost: 0.02 },
        { id: -1_000_002, quantity: 333, cost: 0.03 },
      ],
    },
  ]);
});

test('a receipt that would be the thousand-and-first cost of a product is 400, and nothing is changed', async () => {
  const shop = await newShop(1);
  await fill(shop, shop.goods[0] ?? 0, (index) => 1 + index);
  const { token, stock_id } = shop;
  const json = { stock_id, currency: 'usd', products: linesOf(shop.goods) };
  const id = await make(PURCHASES, token, json);
  expect(await call(`PATCH ${PURCHASES}/${id}/complete`, { token })).toMatchObject(
    errorWith('stock.too_many_batches', { max: 1000 }),
  );
  expect(await stockLevelsOf(token)).toMatchObject([{ quantity: 1000 }]);
});
