import { expect, test } from 'vitest';
import * as z from 'zod';
import { SyncQuery, sync } from '#lib/sync/sync.ts';
import { getRawItems, lockOf } from '#lib/table/items.ts';
import { recoverJournal } from '#lib/table/journal/recovery.ts';
import { familyTenant, recordKey } from '#lib/table/keys.ts';
import { completeGoodsReceipt } from '#lib/trade/goods-receipt/end.ts';
import { leaseRunsOut } from '#tests/support/clock.ts';
import { directorAs } from '#tests/support/family.ts';
import { withCalls } from '#tests/support/kill-after-calls.ts';
import { make } from '#tests/support/records.ts';
import { nothing } from '#tests/support/save-response.ts';
import { newCards, PURCHASES } from '#tests/support/stock.ts';
import { type Depot, newDepot } from '#tests/support/write-offs.ts';

const LINES = 120;

const Receipt = z.looseObject({ status: z.string(), products: z.array(z.looseObject({})) });
const Balance = z.looseObject({ product_id: z.int(), quantity: z.number() });

let calls = 0;

async function readAll({ directorId, companyId }: Depot, type: 'trade.purchase' | 'stock.product') {
  calls += 1;
  const query = SyncQuery.parse({ types: [type], limit: 500 });
  const at = Date.now() + calls * 2000;
  const { data } = await sync({ actor: directorAs(directorId, companyId), query, at, locale: 'ru' });
  return data;
}

/** Reads a replica's goods receipt, and the stock levels of its goods. */
async function readCopy(depot: Depot, id: number, goods: readonly number[]) {
  const [receipts, balances] = [
    await readAll(depot, 'trade.purchase'),
    await readAll(depot, 'stock.product'),
  ];
  const receipt = receipts.find((each) => each.id === id);
  const rows = balances.map(({ record }) => Balance.parse(record));
  const came = rows.filter((row) => goods.includes(row.product_id) && row.quantity > 0);
  return { receipt: Receipt.parse(receipt?.record), came: came.length };
}

test('a copy has a document of over a hundred writes whole or not at all, wherever its function is killed', async () => {
  const depot = await newDepot(1);
  const tenant = familyTenant(depot.companyId);
  const actor = directorAs(depot.directorId, depot.companyId);
  const goods = [...(await newCards(depot, LINES / 2)), ...(await newCards(depot, LINES / 2))];
  let [isDone, times, halves] = [false, 0, 0];
  for (let left = 0; !isDone; left += 3) {
    const products = goods.map((product_id) => ({ product_id, quantity: 1, cost: 2 }));
    const receipt = { stock_id: depot.stockId, supplier_id: depot.supplierId, currency: 'uzs', products };
    const id = await make(PURCHASES, depot.token, receipt);
    const key = recordKey('purchase', tenant, id);
    isDone = await withCalls(left, () => completeGoodsReceipt(actor, id, Date.now(), nothing));
    const seen = await readCopy(depot, id, goods);
    expect(seen.receipt.products).toHaveLength(LINES);
    expect(['draft', 'completed']).toContain(seen.receipt.status);
    if (seen.receipt.status === 'completed') times += 1;
    expect(seen.came).toBe(times === 0 ? 0 : LINES);
    // The work of the worker, and of a caller who retries.
    const [item] = await getRawItems([key]);
    const lock = lockOf(item ?? {});
    if (lock !== undefined) {
      halves += 1;
      leaseRunsOut();
      expect(await recoverJournal(lock)).toBe('over');
      expect(await readCopy(depot, id, goods)).toEqual(seen);
    }
  }
  expect(times).toBeGreaterThan(0);
  expect(halves).toBeGreaterThan(0);
});
