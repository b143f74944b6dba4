import { expect, test } from 'vitest';
import * as z from 'zod';
import { splitEvery } from '#lib/values/concurrency.ts';
import { renderInstant } from '#lib/values/time.ts';
import { call } from '#tests/support/http.ts';
import { offlineSaleBody, REFUSED, refuseOne, sendOfflineSales } from '#tests/support/offline.ts';
import { timeAgo } from '#tests/support/past.ts';
import { make } from '#tests/support/records.ts';
import { newGoods, newShop, piecesOf, type Shop } from '#tests/support/shop.ts';
import {
  count,
  countSeen,
  endStocktake,
  INVENTORIES,
  newStoreForStocktake,
  rowIds,
  startStocktake,
  waitUntilFinished,
} from '#tests/support/stocktakes.ts';

const Line = z.looseObject({ product_id: z.int(), counted_since: z.int().nullable() });
const Sale = z.looseObject({ products: z.array(Line) });

/** Returns by product the stocktake since which each line of a sale counts. */
async function countedSince({ director: token }: Shop, saleId: number) {
  const { body } = await call(`GET /company/trade/sale/${saleId}`, { token });
  return Sale.parse(body).products.map(({ product_id, counted_since }) => [product_id, counted_since]);
}

/** Sells one piece of each product at 5000, and returns the sale's id. */
async function sell(shop: Shop, ids: readonly number[], key: string, given: object = {}) {
  const products = ids.map((product_id) => ({ product_id, sold_quantity: 1, price: 5000 }));
  const transactions = [{ payment_type: 'cash', amount: 5000 * ids.length }];
  const [row] = await sendOfflineSales(shop, [
    offlineSaleBody(shop, 0, key, { products, transactions, ...given }),
  ]);
  expect(row).toMatchObject({ status: 200 });
  return row?.sale?.id ?? 0;
}

/** Counts products of a shop, and completes the stocktake. */
async function countAll(shop: Shop, counted: readonly (readonly [number, number])[]): Promise<number> {
  const id = await startStocktake(shop, {
    type: 'partial',
    product_ids: counted.map(([product]) => product),
  });
  for (const some of splitEvery(counted, 100)) expect((await count(shop, id, some)).status).toBe(200);
  expect((await endStocktake(shop, id, 'complete')).status).toBe(200);
  return id;
}

/** Waits until the next second. */
async function passSecond(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 1000 - (Date.now() % 1000) + 5));
}

async function offlineSalesOf({ director: token }: Shop, id: number) {
  return (await call(`GET ${INVENTORIES}/${id}`, { token })).body;
}

test('what was sold before its product was counted, and comes after the count, is sold, shows the count, and is listed there (Part 4, 4.4 (6))', async () => {
  const { shop, products } = await newStoreForStocktake();
  const [first, second, third] = products;
  const id = await countAll(shop, [
    [first, 7],
    [second, 20],
  ]);
  const sale = await sell(shop, [first, second, third], 'before');
  expect(await countedSince(shop, sale)).toEqual([
    [first, id],
    [second, id],
    [third, null],
  ]);
  expect(await piecesOf(shop, first)).toBe(6);
  await passSecond();
  const after = await sell(shop, [first], 'after', { sold_at: renderInstant(Date.now()) });
  expect(await countedSince(shop, after)).toEqual([[first, null]]);
  const plain = await make('/company/trade/sale', shop.director, {
    ...offlineSaleBody(shop, first, 'plain'),
    sold_at: null,
  });
  expect(await countedSince(shop, plain)).toEqual([[first, null]]);
  const more = await sell(shop, [first], 'more');
  expect(await offlineSalesOf(shop, id)).toMatchObject({
    late_sales: [
      { sale_id: more, product_id: first, quantity: 1 },
      { sale_id: sale, product_id: first, quantity: 1 },
      { sale_id: sale, product_id: second, quantity: 1 },
    ],
  });
});

test('of several counts it is the first that counts; one that was canceled, or left the product out, is none (Part 4, 4.4 (6))', async () => {
  const { shop, products } = await newStoreForStocktake();
  const [first, second, third] = products;
  const canceled = await startStocktake(shop);
  await count(shop, canceled, [[first, 9]]);
  await endStocktake(shop, canceled, 'cancel');
  const left = await startStocktake(shop);
  const rows = await rowIds(shop);
  await count(shop, left, [
    [first, 10],
    [second, 20],
  ]);
  const json = { products_tmp: [rows.get(first), rows.get(third)] };
  await call(`PATCH ${INVENTORIES}/${left}/remove-products`, { token: shop.director, json });
  expect((await endStocktake(shop, left, 'complete')).status).toBe(200);
  await waitUntilFinished(shop, products);
  const between = renderInstant(Date.now() + 1000);
  await passSecond();
  await passSecond();
  const later = await countAll(shop, [
    [first, 10],
    [second, 19],
  ]);
  const sale = await sell(shop, [first, second, third], 'before');
  expect(await countedSince(shop, sale)).toEqual([
    [first, later],
    [second, left],
    [third, null],
  ]);
  const other = await sell(shop, [first, second], 'between', { sold_at: between });
  expect(await countedSince(shop, other)).toEqual([
    [first, later],
    [second, later],
  ]);
  expect(await offlineSalesOf(shop, canceled)).toMatchObject({ late_sales: [] });
  expect(await offlineSalesOf(shop, left)).toMatchObject({
    late_sales: [{ sale_id: sale, product_id: second }],
  });
});

test('refused during the count and retried after it, as of now too, it shows the count (Part 4, 4.4 (5), (6))', async () => {
  const { shop, products } = await newStoreForStocktake();
  const [first] = products;
  const id = await countAll(shop, [[first, 10]]);
  const open = await startStocktake(shop);
  const [kept] = await sendOfflineSales(shop, [offlineSaleBody(shop, first, 'kept')]);
  expect(kept).toMatchObject({ status: 400, sale_id: null });
  await endStocktake(shop, open, 'cancel');
  for (const [refused, json] of [
    [kept?.refused_id ?? 0, {}],
    [await refuseOne(shop, first, 'short'), { ...offlineSaleBody(shop, first, 'short'), as_of_now: true }],
  ] as const) {
    const retried = await call(`PATCH ${REFUSED}/${refused}/retry`, { token: shop.director, json });
    expect(retried).toMatchObject({ status: 200, body: { status: 'sold' } });
    expect(await countedSince(shop, retried.number('sale_id'))).toEqual([[first, id]]);
  }
});

test('a part of a bundle shows it; a count shows the newest 100 lines (Part 4, 4.4 (6))', async () => {
  const shop = await newShop();
  const ids: number[] = [];
  while (ids.length < 60) ids.push(await newGoods(shop, [{ quantity: 100, cost: 1 }]));
  const [part = 0] = ids;
  const parts = [{ product_id: part, quantity: 3 }];
  const bundle = await make('/company/product/bundle', shop.director, {
    name: 'Three',
    price: 12_000,
    products: parts,
  });
  const id = await countAll(
    shop,
    ids.map((product) => [product, 50] as const),
  );
  await sell(shop, [part], 'oldest', { sold_at: timeAgo(50) });
  const bundled = await sell(shop, [], 'bundle', {
    bundles: [{ bundle_id: bundle, price: 12_000 }],
    transactions: [{ payment_type: 'cash', amount: 12_000 }],
  });
  const [many, newest] = [
    await sell(shop, ids.slice(0, 40), 'many'),
    await sell(shop, ids.slice(0, 59), 'newest'),
  ];
  const Listed = z.array(z.object({ sale_id: z.int(), product_id: z.int(), quantity: z.number() }));
  const { late_sales } = z.looseObject({ late_sales: Listed }).parse(await offlineSalesOf(shop, id));
  expect(late_sales.map(({ sale_id, product_id }) => [sale_id, product_id])).toEqual([
    ...ids.slice(0, 59).map((product) => [newest, product]),
    ...ids.slice(0, 40).map((product) => [many, product]),
    [bundled, part],
  ]);
  expect(late_sales.at(-1)).toMatchObject({ quantity: 3 });
});

test('a sale of hundreds of lines is sold after a count of them all; of one sale the count shows 100 (Part 4, 4.4 (6))', async () => {
  const shop = await newShop();
  const ids: number[] = [];
  while (ids.length < 150) ids.push(await newGoods(shop, [{ quantity: 10, cost: 1 }]));
  const bundles: object[] = [];
  for (const parts of splitEvery(ids, 50)) {
    const products = parts.map((product_id) => ({ product_id, quantity: 1 }));
    const json = { name: `Set ${bundles.length}`, price: 90_000, products };
    bundles.push({ bundle_id: await make('/company/product/bundle', shop.director, json), price: 90_000 });
  }
  const id = await countAll(
    shop,
    ids.map((product) => [product, 9] as const),
  );
  const own = ids.slice(0, 90).map((product_id) => ({ product_id, sold_quantity: 1, price: 5000 }));
  const transactions = [{ payment_type: 'cash', amount: 270_000 + 450_000 }];
  const sale = await sell(shop, [], 'large', { products: own, bundles, transactions });
  const since = await countedSince(shop, sale);
  expect(since.map(([, counted]) => counted)).toEqual(Array.from({ length: 240 }, () => id));
  expect(Object(await offlineSalesOf(shop, id)).late_sales).toHaveLength(100);
});

test('whatever is sold while a count begins and is completed was counted, or shows the count (Part 4, 4.4 (6))', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, [{ quantity: 100, cost: 1 }]);
  let booked = 100;
  for (let round = 0; round < 4; round++) {
    const key = (index: number) => `${round}-${index}`;
    const send = async (index: number) => {
      const [row] = await sendOfflineSales(shop, [offlineSaleBody(shop, id, key(index))]);
      return row?.sale?.id ?? [];
    };
    const counting = async () => {
      const started = await startStocktake(shop);
      await count(shop, started, [
        [id, (await countSeen(shop.director, started)).products[0]?.stock_quantity ?? 0],
      ]);
      await endStocktake(shop, started, 'complete');
      return started;
    };
    const [started, ...sold] = await Promise.all([
      counting(),
      ...Array.from({ length: 8 }, (_, index) => send(index)),
    ]);
    const sales = await Promise.all(
      sold.flat().map(async (sale) => ({ sale, since: await countedSince(shop, sale) })),
    );
    const [line] = (await countSeen(shop.director, started)).products;
    const after = sales.filter(({ since }) => since[0]?.[1] === started);
    expect(line?.stock_quantity).toBe(booked - (sales.length - after.length));
    const { late_sales } = Object(await offlineSalesOf(shop, started));
    expect(late_sales.map(({ sale_id }: { sale_id: number }) => sale_id).sort()).toEqual(
      after.map(({ sale }) => sale).sort(),
    );
    booked -= sales.length;
    expect(await piecesOf(shop, id)).toBe(booked);
  }
});
