import { expect, test } from 'vitest';
import { readStockLevels } from '#lib/stock/stock-levels.ts';
import { update } from '#lib/table/change/write.ts';
import { familyTenant, recordKey } from '#lib/table/keys.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import { ONE } from '#lib/values/quantity.ts';
import { call } from '#tests/support/http.ts';
import { idsOf, make } from '#tests/support/records.ts';
import { newGoods, newShop, piecesOf, sellOne } from '#tests/support/shop.ts';
import { newCards, PURCHASES, receiveGoods } from '#tests/support/stock.ts';
import {
  count,
  countSeen,
  endStocktake,
  INVENTORIES,
  rowIds,
  startStocktake,
  waitUntilFinished,
} from '#tests/support/stocktakes.ts';

const WRITE_OFFS = '/company/trade/writeoff';

async function newStore(products: number) {
  const shop = await newShop();
  const ids: number[] = [];
  for (let each = 0; each < products; each++) ids.push(await newGoods(shop, [{ quantity: 10, cost: 1 }]));
  return { shop, token: shop.director, ids };
}

test('two completions at the same moment are one: one receipt, one write-off, and 400 for the other', async () => {
  const { shop, token, ids } = await newStore(2);
  const [above = 0, below = 0] = ids;
  const id = await startStocktake(shop);
  await count(shop, id, [
    [above, 12],
    [below, 3],
  ]);
  const replies = await Promise.all(Array.from({ length: 4 }, () => endStocktake(shop, id, 'complete')));
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
  expect([await idsOf(PURCHASES, token), await idsOf(WRITE_OFFS, token)].map(({ length }) => length)).toEqual(
    [1, 1],
  );
  await waitUntilFinished(shop, ids);
  expect(await Promise.all(ids.map((product) => piecesOf(shop, product)))).toEqual([12, 3]);
});

test('of a completion and a cancellation at the same moment one wins', async () => {
  for (let round = 0; round < 4; round++) {
    const { shop, ids } = await newStore(1);
    const [product = 0] = ids;
    const id = await startStocktake(shop);
    await count(shop, id, [[product, 12]]);
    const [completed, canceled] = await Promise.all([
      endStocktake(shop, id, 'complete'),
      endStocktake(shop, id, 'cancel'),
    ]);
    expect([completed.status, canceled.status].sort()).toEqual([200, 400]);
    const { status } = await countSeen(shop.director, id);
    expect(status).toBe(completed.status === 200 ? 'completed' : 'canceled');
    expect(await piecesOf(shop, product)).toBe(completed.status === 200 ? 12 : 10);
  }
});

test('what is counted at the moment of the completion counts, or is refused', async () => {
  for (let round = 0; round < 4; round++) {
    const { shop, ids } = await newStore(1);
    const [product = 0] = ids;
    const id = await startStocktake(shop);
    await count(shop, id, [[product, 11]]);
    const [added, completed] = await Promise.all([
      count(shop, id, [[product, 15]]),
      endStocktake(shop, id, 'complete'),
    ]);
    expect(completed.status).toBe(200);
    expect([200, 400]).toContain(added.status);
    const seen = await countSeen(shop.director, id);
    const pieces = added.status === 200 ? 15 : 11;
    expect([await piecesOf(shop, product), seen.products[0]?.actual_quantity]).toEqual([pieces, pieces]);
    expect(seen).toMatchObject({ actual_quantity: pieces, quantity_diff_above: pieces - 10 });
  }
});

test('several people count at once, the same positions too, and totals are those of the lines', async () => {
  const { shop, ids } = await newStore(4);
  const id = await startStocktake(shop);
  const replies = await Promise.all(
    Array.from({ length: 8 }, (_, by) =>
      count(
        shop,
        id,
        ids.map((product) => [product, by + 5] as const),
      ),
    ),
  );
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
  const { products, ...totals } = await countSeen(shop.director, id);
  const sum = products.reduce((total, { actual_quantity }) => total + (actual_quantity ?? 0), 0);
  expect(totals).toMatchObject({
    products_count: 4,
    checked_products_count: 4,
    actual_quantity: sum,
    stock_quantity: 40,
  });
});

test('of several who count other positions at once with the same If-Match, one goes through (Contract 1)', async () => {
  const { shop, token, ids } = await newStore(3);
  const id = await startStocktake(shop);
  const seen = await call(`GET ${INVENTORIES}/${id}`, { token });
  const headers = { 'if-match': seen.headers.get('etag') ?? '' };
  const counted = await Promise.all(ids.map((product) => count(shop, id, [[product, 1]], headers)));
  expect(counted.map(({ status }) => status).sort()).toEqual([200, 412, 412]);
  const now = await call(`GET ${INVENTORIES}/${id}`, { token });
  const rows = await rowIds(shop);
  const removed = await Promise.all(
    ids.map((product) =>
      call(`PATCH ${INVENTORIES}/${id}/remove-products`, {
        token,
        json: { products_tmp: [rows.get(product)] },
        headers: { 'if-match': now.headers.get('etag') ?? '' },
      }),
    ),
  );
  expect(removed.map(({ status }) => status).sort()).toEqual([200, 412, 412]);
  expect((await countSeen(token, id)).products).toHaveLength(2);
});

test('a sale at the moment of the start is in the books that the count compares with, or is refused', async () => {
  const { shop, ids } = await newStore(3);
  const selling = ids.flatMap((product) => Array.from({ length: 4 }, () => sellOne(shop, product, 1, 5000)));
  const [id, ...sales] = await Promise.all([startStocktake(shop), ...selling]);
  for (const { status } of sales) expect([200, 400]).toContain(status);
  const left = await Promise.all(ids.map((product) => piecesOf(shop, product)));
  expect(left.reduce((sum, pieces) => sum + pieces, 0)).toBe(
    30 - sales.filter(({ status }) => status === 200).length,
  );
  await count(
    shop,
    id,
    ids.map((product) => [product, 10] as const),
  );
  const { products } = await countSeen(shop.director, id);
  expect(products.map(({ stock_quantity }) => stock_quantity)).toEqual(left);
  expect((await endStocktake(shop, id, 'complete')).status).toBe(200);
  expect(await Promise.all(ids.map((product) => piecesOf(shop, product)))).toEqual([10, 10, 10]);
});

test('a receipt of a new product at the moment of the start is listed, or refused', async () => {
  for (let round = 0; round < 4; round++) {
    const { shop, token } = await newStore(1);
    const [product = 0] = await newCards(shop, 1, { brand_id: null });
    const json = {
      stock_id: shop.stockId,
      currency: 'uzs',
      products: [{ product_id: product, quantity: 5, cost: 1 }],
    };
    const draft = await make(PURCHASES, token, json);
    const [id, completed] = await Promise.all([
      startStocktake(shop),
      call(`PATCH ${PURCHASES}/${draft}/complete`, { token }),
    ]);
    const listed = (await countSeen(token, id)).products.some(({ product_id }) => product_id === product);
    expect([completed.status, listed]).toEqual(completed.status === 200 ? [200, true] : [400, false]);
  }
});

test('two starts at the same moment are one count', async () => {
  const { shop, token } = await newStore(1);
  const json = { stock_id: shop.stockId, type: 'full' };
  const replies = await Promise.all([1, 2, 3].map(() => call(`POST ${INVENTORIES}`, { token, json })));
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  expect(await idsOf(INVENTORIES, token)).toHaveLength(1);
});

test('readers see all of three hundred positions as they were, or all as they were counted', async () => {
  const shop = await newShop();
  const tenant = familyTenant(shop.companyId);
  const ids = await newCards(shop, 300);
  await receiveGoods(shop.director, {
    stock_id: shop.stockId,
    products: ids.map((product_id) => ({ product_id, quantity: 10, cost: 1 })),
  });
  const id = await startStocktake(shop);
  for (let from = 0; from < 300; from += 100) {
    const counted = ids.slice(from, from + 100).map((product, at) => [product, at % 2 ? 20 : 5] as const);
    expect((await count(shop, id, counted)).status).toBe(200);
  }
  const looks: string[] = [];
  let isOver = false;
  const look = async () => {
    const stockLevels = await readStockLevels(tenant, shop.stockId, ids);
    const pieces = new Set(ids.map((product) => stockLevels.free(product) / ONE));
    looks.push([...pieces].sort().join());
  };
  await look();
  const reading = (async () => {
    while (!isOver) await look();
  })();
  expect((await endStocktake(shop, id, 'complete')).status).toBe(200);
  await waitUntilFinished(shop, ids);
  isOver = true;
  await reading;
  expect(new Set(looks)).toEqual(new Set(['10', '20,5']));
});

test('sales right after the completion sell what was counted, whether the worker has come or not', async () => {
  const { shop, ids } = await newStore(4);
  const id = await startStocktake(shop);
  await count(
    shop,
    id,
    ids.map((product, at) => [product, at] as const),
  );
  await endStocktake(shop, id, 'complete');
  const sold = await Promise.all(ids.map((product, at) => sellOne(shop, product, Math.max(1, at), 5000)));
  expect(sold.map(({ status }) => status)).toEqual([422, 200, 200, 200]);
  await waitUntilFinished(shop, ids);
  expect(await Promise.all(ids.map((product) => piecesOf(shop, product)))).toEqual([0, 0, 0, 0]);
});

test('what is sent again with the same key is done once, and answered the same', async () => {
  const { shop, token, ids } = await newStore(1);
  const [product = 0] = ids;
  const twice = async (
    send: (headers: Record<string, string>) => Promise<{ status: number; body: unknown; headers: Headers }>,
    key: string,
  ) => {
    const headers = { 'idempotency-key': key };
    const [first, second] = [await send(headers), await send(headers)];
    expect([first.status, second.status, second.headers.get('idempotent-replayed')]).toEqual([
      200,
      200,
      'true',
    ]);
    expect(second.body).toEqual(first.body);
    return first;
  };
  const json = { stock_id: shop.stockId, type: 'full' };
  const { body } = await twice((headers) => call(`POST ${INVENTORIES}`, { token, json, headers }), 'start');
  const id = Number(Object(body).id);
  await twice((headers) => count(shop, id, [[product, 11]], headers), 'add');
  const products_tmp = [(await rowIds(shop)).get(product)];
  const removing = (headers: Record<string, string>) =>
    call(`PATCH ${INVENTORIES}/${id}/remove-products`, { token, json: { products_tmp }, headers });
  await twice(removing, 'remove');
  await twice((headers) => endStocktake(shop, id, 'complete', headers), 'complete');
  const other = await startStocktake(shop);
  await twice((headers) => endStocktake(shop, other, 'cancel', headers), 'cancel');
});

test('a count holds ten thousand positions at most', async () => {
  const { shop, token, ids } = await newStore(2);
  const id = await startStocktake(shop, { type: 'partial', product_ids: [ids[0]] });
  const key = recordKey('inventory', familyTenant(shop.companyId), id);
  await transact([update(key, { set: { products_count: 10_000 } })]);
  const refused = await count(shop, id, [[ids[1] ?? 0, 1]]);
  expect(refused).toMatchObject({
    status: 422,
    body: { errors: { products_tmp: [expect.stringContaining('10')] } },
  });
  expect((await count(shop, id, [[ids[0] ?? 0, 1]])).status).toBe(200);
  expect((await call(`GET ${INVENTORIES}/${id}`, { token })).body).toMatchObject({ products_count: 10_000 });
});
