import { afterAll, expect, test } from 'vitest';
import type { Fault } from '#bench/chaos/fault.ts';
import type { WireCall } from '#bench/chaos/table-call.ts';
import { runInContext } from '#lib/table/request-context.ts';
import { excludeProducts } from '#lib/trade/stocktake/counting/exclude.ts';
import { recordCounts } from '#lib/trade/stocktake/counting/record-counts.ts';
import { ONE } from '#lib/values/quantity.ts';
import { faultsOf } from '#tests/support/books.ts';
import { call } from '#tests/support/http.ts';
import { withCalls } from '#tests/support/kill-after-calls.ts';
import { nothing } from '#tests/support/save-response.ts';
import { newShop } from '#tests/support/shop.ts';
import { newCards, receiveGoods } from '#tests/support/stock.ts';
import {
  count,
  countSeen,
  endStocktake,
  INVENTORIES,
  rowIds,
  staffOf,
  startStocktake,
} from '#tests/support/stocktakes.ts';
import { behindProxy, faultInTest } from '#tests/support/table-faults.ts';

const proxy = await behindProxy();

afterAll(() => proxy.stop());

/** More positions than fit into a transaction: a call makes two. */
const MANY = 60;

/** Creates a shop whose director counts and removes many positions in one call. */
async function newLongStore() {
  const shop = await newShop();
  const products = await newCards(shop, MANY, { brand_id: null });
  const lines = products.map((product_id) => ({ product_id, quantity: 10, cost: 1 }));
  await receiveGoods(shop.director, { stock_id: shop.stockId, products: lines });
  const actor = await staffOf(shop.director);
  const known = await rowIds(shop);
  const rows = products.map((product) => known.get(product) ?? 0);
  const made = { at: Date.now(), saveResponse: nothing };
  return {
    shop,
    rows,
    last: products.at(-1) ?? 0,
    remove: (id: number) => excludeProducts(actor, id, { products_tmp: rows }, made),
    add: (id: number, pieces: number) => {
      const products_tmp = rows.map((row) => ({ stock_product_id: row, actual_quantity: pieces * ONE }));
      return recordCounts(actor, id, { products_tmp }, made);
    },
  };
}

/** Runs a concurrent action right before a call's transaction of that number. */
function beforeTransaction(number: number, work: () => Promise<unknown>) {
  let transactions = 0;
  const isThat = ({ operation }: WireCall) => operation === 'TransactWriteItems' && ++transactions === number;
  const workFirst: Fault = async ({ forward, answer }) => {
    await work();
    answer(await forward());
  };
  return faultInTest(proxy, isThat, workFirst);
}

async function brokenCounts(shop: Parameters<typeof faultsOf>[0]): Promise<string[]> {
  return (await faultsOf(shop)).filter((fault) => fault.startsWith('counts'));
}

test('a removal of more than one transaction that is killed after any of its calls is done by sending it again', async () => {
  const { shop, rows, remove } = await newLongStore();
  const left = new Set<number>();
  for (let calls = 0, lived = false; !lived; calls++) {
    const id = await startStocktake(shop);
    lived = await withCalls(calls, () => remove(id));
    left.add((await countSeen(shop.director, id)).products.length);
    const json = { products_tmp: rows };
    const again = await call(`PATCH ${INVENTORIES}/${id}/remove-products`, { token: shop.director, json });
    expect(again.status).toBe(200);
    expect(await countSeen(shop.director, id)).toMatchObject({ products: [], products_count: 0 });
    expect(await brokenCounts(shop)).toEqual([]);
    await endStocktake(shop, id, 'cancel');
  }
  expect([...left]).toEqual([MANY, expect.any(Number), 0]);
});

test('a removal of more than one transaction is done, though somebody counts a position between them', async () => {
  const { shop, last, remove } = await newLongStore();
  const id = await startStocktake(shop);
  const met = beforeTransaction(2, () => count(shop, id, [[last, 7]]));
  await remove(id);
  expect(met.count).toBe(1);
  expect(await countSeen(shop.director, id)).toMatchObject({
    products: [],
    products_count: 0,
    checked_products_count: 0,
  });
  expect(await brokenCounts(shop)).toEqual([]);
});

test('counting more than one transaction takes is done whole, though somebody counts a position between them', async () => {
  const { shop, last, add } = await newLongStore();
  const id = await startStocktake(shop);
  const met = beforeTransaction(2, () => count(shop, id, [[last, 7]]));
  await add(id, 3);
  expect(met.count).toBe(1);
  const { products, ...totals } = await countSeen(shop.director, id);
  expect(new Set(products.map(({ actual_quantity }) => actual_quantity))).toEqual(new Set([3]));
  expect(totals).toMatchObject({
    products_count: MANY,
    actual_quantity: 3 * MANY,
    stock_quantity: 10 * MANY,
  });
  expect(await brokenCounts(shop)).toEqual([]);
});

test('counting and removing with If-Match are done whole, though somebody counts a position after they began (Contract 1)', async () => {
  const { shop, last, add, remove } = await newLongStore();
  for (const [step, pieces] of [
    [add, [3]],
    [remove, []],
  ] as const) {
    const id = await startStocktake(shop);
    const met = beforeTransaction(2, () => count(shop, id, [[last, 7]]));
    await runInContext({ ifMatch: '"1"' }, () => step(id, 3));
    expect(met.count).toBe(1);
    const { products } = await countSeen(shop.director, id);
    expect([...new Set(products.map(({ actual_quantity }) => actual_quantity))]).toEqual(pieces);
    await endStocktake(shop, id, 'cancel');
  }
});

test('counting and removing with If-Match of a version that is gone when they begin to write are 412, and nothing is written (Contract 1)', async () => {
  const { shop, last, add, remove } = await newLongStore();
  for (const step of [add, remove]) {
    const id = await startStocktake(shop);
    const met = beforeTransaction(1, () => count(shop, id, [[last, 7]]));
    await expect(runInContext({ ifMatch: '"1"' }, () => step(id, 3))).rejects.toMatchObject({ status: 412 });
    expect(met.count).toBe(1);
    expect(await countSeen(shop.director, id)).toMatchObject({
      products_count: MANY,
      checked_products_count: 1,
      actual_quantity: 7,
    });
    await endStocktake(shop, id, 'cancel');
  }
});
