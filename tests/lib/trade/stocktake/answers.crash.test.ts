import { afterAll, expect, test } from 'vitest';
import { arriveOffline, dropAnswer, dropRequest, duplicate, type Fault } from '#bench/chaos/fault.ts';
import type { WireCall } from '#bench/chaos/table-call.ts';
import { partition } from '#lib/table/keys.ts';
import { wholePartition } from '#lib/table/read/walk.ts';
import { excludeProducts } from '#lib/trade/stocktake/counting/exclude.ts';
import { recordCounts } from '#lib/trade/stocktake/counting/record-counts.ts';
import { cancelStocktake, completeStocktake } from '#lib/trade/stocktake/end.ts';
import { finishStocktake } from '#lib/trade/stocktake/finish.ts';
import { StocktakeInput } from '#lib/trade/stocktake/scope.ts';
import { get } from '#lib/trade/stocktake/show.ts';
import { start } from '#lib/trade/stocktake/start.ts';
import { ONE } from '#lib/values/quantity.ts';
import { nothing } from '#tests/support/save-response.ts';
import { newGoods, newShop, piecesOf } from '#tests/support/shop.ts';
import { rowIds, staffOf } from '#tests/support/stocktakes.ts';
import { behindProxy, faultInTest } from '#tests/support/table-faults.ts';

const proxy = await behindProxy();

afterAll(() => proxy.stop());

const isWrite = ({ isWrite: writes }: WireCall) => writes;

const FATES: readonly (readonly [string, Fault])[] = [
  ['its request is lost', dropRequest],
  ['its answer is lost', dropAnswer],
  ['it comes twice', duplicate],
  ['it comes once more, late', arriveOffline(30)],
];

test.each(FATES)('a count whose every third write has this fate is made once: %s', async (_, fate) => {
  const shop = await newShop();
  const actor = await staffOf(shop.director);
  const products = [
    await newGoods(shop, [{ quantity: 10, cost: 2 }]),
    await newGoods(shop, [{ quantity: 10, cost: 3 }]),
    await newGoods(shop, [{ quantity: 10, cost: 4 }]),
  ];
  const rows = await rowIds(shop);
  const counted = (pieces: readonly number[]) => ({
    products_tmp: pieces.map((actual, index) => ({
      stock_product_id: rows.get(products[index] ?? 0) ?? 0,
      actual_quantity: actual * ONE,
    })),
  });
  let calls = 0;
  faultInTest(proxy, (call) => isWrite(call) && calls++ % 3 === 1, fate, { times: 1000 });
  const input = StocktakeInput.parse({ stock_id: shop.stockId, type: 'full' });
  const canceled = (await start(actor, input, Date.now(), nothing)).id;
  await recordCounts(actor, canceled, counted([1, 2, 3]), { at: Date.now(), saveResponse: nothing });
  await cancelStocktake(actor, canceled, Date.now(), nothing);
  const { id } = await start(actor, input, Date.now(), nothing);
  await recordCounts(actor, id, counted([13, 10, 8]), { at: Date.now(), saveResponse: nothing });
  await recordCounts(actor, id, counted([12]), { at: Date.now(), saveResponse: nothing });
  const third = rows.get(products[2] ?? 0) ?? 0;
  await excludeProducts(actor, id, { products_tmp: [third] }, { at: Date.now(), saveResponse: nothing });
  await recordCounts(actor, id, counted([12, 7, 9]), { at: Date.now(), saveResponse: nothing });
  await completeStocktake(actor, id, { at: Date.now(), locale: 'ru' }, nothing);
  await finishStocktake({ family_id: shop.companyId, id });
  await finishStocktake({ family_id: shop.companyId, id: canceled });
  await proxy.idle();
  expect(await Promise.all(products.map((product) => piecesOf(shop, product)))).toEqual([12, 7, 9]);
  expect(await get(actor, id, [])).toMatchObject({
    status: 'completed',
    products_count: 3,
    stock_quantity: 30 * ONE,
    actual_quantity: 28 * ONE,
    amounts_diff_above: { uzs: 400 },
    amounts_diff_below: { uzs: 1300 },
  });
  const [receipts, writeOffs] = await Promise.all(
    ['purchase', 'writeoff'].map((type) => wholePartition(partition(type, actor.tenant))),
  );
  expect([receipts?.length, writeOffs?.length]).toEqual([1, 1]);
});
