import { expect, test } from 'vitest';
import type { Staff } from '#lib/auth/actor.ts';
import { parseStored } from '#lib/records/stored.ts';
import { stockLevelKeys } from '#lib/stock/stock-levels.ts';
import { Warehouse, warehouseKey } from '#lib/stock/warehouse.ts';
import { getRawItems, lockOf } from '#lib/table/items.ts';
import { partition } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import { wholePartition } from '#lib/table/read/walk.ts';
import { excludeProducts } from '#lib/trade/stocktake/counting/exclude.ts';
import { recordCounts } from '#lib/trade/stocktake/counting/record-counts.ts';
import { cancelStocktake, completeStocktake } from '#lib/trade/stocktake/end.ts';
import { finishStocktake } from '#lib/trade/stocktake/finish.ts';
import { StocktakeInput } from '#lib/trade/stocktake/scope.ts';
import { get } from '#lib/trade/stocktake/show.ts';
import { start } from '#lib/trade/stocktake/start.ts';
import { ONE } from '#lib/values/quantity.ts';
import { faultsOf } from '#tests/support/books.ts';
import { withCalls } from '#tests/support/kill-after-calls.ts';
import { nothing } from '#tests/support/save-response.ts';
import { newGoods, newShop, piecesOf, sellOne } from '#tests/support/shop.ts';
import { countSeen, rowIds, staffOf } from '#tests/support/stocktakes.ts';

/** Creates a shop with two products, and its director as an actor. */
async function newStore() {
  const shop = await newShop();
  const products = [
    await newGoods(shop, [{ quantity: 1000, cost: 2 }]),
    await newGoods(shop, [{ quantity: 1000, cost: 3, currency: 'usd' }]),
  ];
  const actor = await staffOf(shop.director);
  const rows = await rowIds(shop);
  return { shop, actor, products, rows: products.map((product) => rows.get(product) ?? 0) };
}

type Store = Awaited<ReturnType<typeof newStore>>;

async function begin({ shop, actor }: Store): Promise<number> {
  const input = StocktakeInput.parse({ stock_id: shop.stockId, type: 'full' });
  return (await start(actor, input, Date.now(), nothing)).id;
}

function add({ actor, rows }: Store, id: number, pieces: readonly number[]): Promise<void> {
  const products_tmp = rows.map((stock_product_id, index) => ({
    stock_product_id,
    actual_quantity: (pieces[index] ?? 0) * ONE,
  }));
  return recordCounts(actor, id, { products_tmp }, { at: Date.now(), saveResponse: nothing });
}

function complete(actor: Staff, id: number): Promise<void> {
  return completeStocktake(actor, id, { at: Date.now(), locale: 'ru' }, nothing);
}

async function closedBy({ shop, actor }: Store): Promise<number | null> {
  const item = await getItem(warehouseKey(actor.tenant, shop.stockId));
  return parseStored(Warehouse, item).inventory_id;
}

function pieces({ shop, products }: Store): Promise<number[]> {
  return Promise.all(products.map((product) => piecesOf(shop, product)));
}

test('a start that is killed after any of its calls has closed the warehouse with a whole count, or done nothing', async () => {
  const store = await newStore();
  const { actor, shop, products } = store;
  let counts = 0;
  for (let calls = 0, lived = false; !lived; calls++) {
    lived = await withCalls(calls, () => begin(store));
    const id = await closedBy(store);
    const sold = await sellOne(shop, products[0] ?? 0, 1, 5000);
    expect(sold.status).toBe(id === null ? 200 : 400);
    if (id === null) continue;
    counts += 1;
    expect((await countSeen(shop.director, id)).products).toHaveLength(2);
    await cancelStocktake(actor, id, Date.now(), nothing);
    expect(await closedBy(store)).toBeNull();
  }
  expect(counts).toBeGreaterThan(0);
});

test('counting that is killed after any of its calls leaves totals that its lines come to, and is done by sending it again', async () => {
  const store = await newStore();
  const { actor, shop } = store;
  const id = await begin(store);
  for (let calls = 0, lived = false; !lived; calls++) {
    lived = await withCalls(calls, () => add(store, id, [990 + calls, 1010 - calls]));
    expect((await faultsOf(shop)).filter((fault) => fault.startsWith('counts'))).toEqual([]);
  }
  await add(store, id, [1001, 999]);
  await complete(actor, id);
  expect(await pieces(store)).toEqual([1001, 999]);
  await finishStocktake({ family_id: shop.companyId, id });
  expect(await pieces(store)).toEqual([1001, 999]);
  expect(await faultsOf(shop)).toEqual([]);
});

test('removing that is killed after any of its calls leaves totals that the lines come to, and balances that are free', async () => {
  const store = await newStore();
  const { actor, shop, rows } = store;
  const id = await begin(store);
  for (let calls = 0, lived = false; !lived; calls++) {
    await add(store, id, [1, 2]);
    lived = await withCalls(calls, () =>
      excludeProducts(actor, id, { products_tmp: rows }, { at: Date.now(), saveResponse: nothing }),
    );
    expect((await faultsOf(shop)).filter((fault) => fault.startsWith('counts'))).toEqual([]);
  }
  const items = await getRawItems(stockLevelKeys(actor.tenant, shop.stockId, store.products));
  expect(items.map(lockOf)).toEqual([undefined, undefined]);
  await complete(actor, id);
  expect(await pieces(store)).toEqual([1000, 1000]);
});

test('a completion that is killed after any of its calls has set all or nothing, and can be made again', async () => {
  const store = await newStore();
  const { actor, shop } = store;
  let before = [1000, 1000];
  let completed = 0;
  for (let calls = 0, lived = false; !lived; calls++) {
    const counted = [before[0] === 1000 ? 1004 : 1000, before[1] === 1000 ? 994 : 1000];
    const id = await begin(store);
    await add(store, id, counted);
    lived = await withCalls(calls, () => complete(actor, id));
    const { status } = await get(actor, id, []);
    expect(await pieces(store)).toEqual(status === 'completed' ? counted : before);
    expect(await closedBy(store)).toBe(status === 'completed' ? null : id);
    if (status === 'in_progress') await complete(actor, id);
    completed += 1;
    expect(await pieces(store)).toEqual(counted);
    if (calls % 2 === 0) await finishStocktake({ family_id: shop.companyId, id });
    before = counted;
  }
  expect(await faultsOf(shop)).toEqual([]);
  const receipts = await wholePartition(partition('purchase', actor.tenant));
  const writeOffs = await wholePartition(partition('writeoff', actor.tenant));
  expect([receipts.length, writeOffs.length]).toEqual([completed, completed]);
});

test('a cancellation that is killed after any of its calls has moved nothing, and the warehouse can be counted again', async () => {
  const store = await newStore();
  const { actor, shop } = store;
  for (let calls = 0, lived = false; !lived; calls++) {
    const id = await begin(store);
    await add(store, id, [5, 5000]);
    lived = await withCalls(calls, () => cancelStocktake(actor, id, Date.now(), nothing));
    if ((await get(actor, id, [])).status === 'in_progress')
      await cancelStocktake(actor, id, Date.now(), nothing);
    expect(await closedBy(store)).toBeNull();
    expect(await pieces(store)).toEqual([1000, 1000]);
    if (calls % 2 === 0) await finishStocktake({ family_id: shop.companyId, id });
  }
  expect(await faultsOf(shop)).toEqual([]);
});

test('the worker that is killed after any of its calls is done by its message coming again', async () => {
  const store = await newStore();
  const { actor, shop } = store;
  for (const how of ['completed', 'canceled'] as const) {
    const id = await begin(store);
    await add(store, id, [7, 5000]);
    if (how === 'completed') await complete(actor, id);
    else await cancelStocktake(actor, id, Date.now(), nothing);
    const wanted = await pieces(store);
    for (let calls = 0, lived = false; !lived; calls++) {
      lived = await withCalls(calls, () => finishStocktake({ family_id: shop.companyId, id }));
      expect(await pieces(store)).toEqual(wanted);
    }
    const items = await getRawItems(stockLevelKeys(actor.tenant, shop.stockId, store.products));
    expect(items.map(lockOf)).toEqual([undefined, undefined]);
    if (how === 'canceled') expect(await wholePartition(`inventory-plan#${actor.tenant}#${id}`)).toEqual([]);
  }
  expect(await faultsOf(shop)).toEqual([]);
});
