import type * as z from 'zod';
import { parseStored } from '#lib/records/stored.ts';
import type { Item } from '#lib/table/client.ts';
import { type Key, partition, recordKey, sequencesKey, type Tenant } from '#lib/table/keys.ts';
import { getItems, getSettled } from '#lib/table/read/get.ts';
import { idOf, readRange } from '#lib/table/read/ranges.ts';
import { lastIdIn } from '#lib/table/sequences.ts';
import { mapConcurrent, splitEvery } from '#lib/values/concurrency.ts';
import { STOCK_LEVEL_ROW, StockLevel, stockLevelKey } from './stock-level.ts';

/*
 * Reads of stock levels without transactions in progress, for decisions that depend on their being empty
 * (`inflow.ts`).
 */

/** Latest ids that transactions in progress may have allocated. */
const RECENT = 500;

/** Waits for transactions in progress that insert stock-level rows. Three round trips, some thirty units. */
export async function settleNewRows(tenant: Tenant): Promise<void> {
  const [counters] = await getItems([sequencesKey(tenant)]);
  const last = lastIdIn(counters, STOCK_LEVEL_ROW);
  const from = Math.max(1, last - RECENT + 1);
  const rows = await readRange(
    partition(STOCK_LEVEL_ROW, tenant),
    { from, to: last },
    { where: [], only: [] },
  );
  const existingIds = new Set(rows.map(idOf));
  const ids = Array.from({ length: Math.max(0, last - from + 1) }, (_, index) => from + index);
  await readSettled(
    ids.filter((id) => !existingIds.has(id)).map((id) => recordKey(STOCK_LEVEL_ROW, tenant, id)),
  );
}

/** Reads stock levels once no transaction is in progress on them; for those that seem empty. */
export async function readSettledBalances(
  tenant: Tenant,
  stockId: number,
  productIds: readonly number[],
): Promise<z.input<typeof StockLevel>[]> {
  const items = await readSettled(productIds.map((id) => stockLevelKey(tenant, stockId, id)));
  return items.map((item) => parseStored(StockLevel, item));
}

/** Items per transactional read, DynamoDB's limit, and concurrent reads. */
const MAX_READ = 100;
const PARALLEL = 4;

async function readSettled(keys: readonly Key[]): Promise<(Item | undefined)[]> {
  return (await mapConcurrent(splitEvery(keys, MAX_READ), PARALLEL, getSettled)).flat();
}
