import { makerOf, requireTrading, type Staff } from '#lib/auth/actor.ts';
import { documentReplacement, getDocumentToChange } from '#lib/records/documents.ts';
import { parseRecord, type Stored } from '#lib/records/stored.ts';
import { reopeningWrite } from '#lib/stock/inflow.ts';
import * as warehouses from '#lib/stock/warehouse.ts';
import type { Write } from '#lib/table/change/write.ts';
import { type OwnerState, ownerState } from '#lib/table/journal/standing-lock.ts';
import type { Tenant } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import { nextId } from '#lib/table/sequences.ts';
import { retryOnContention, stageItems, transact } from '#lib/table/transaction/transact.ts';
import { goodsReceipts } from '#lib/trade/goods-receipt/record.ts';
import { WRITE_OFF_LINE, writeOffs } from '#lib/trade/write-off/record.ts';
import { badRequest } from '#lib/values/api-error.ts';
import { inBackground } from '#lib/values/concurrency.ts';
import type { Locale } from '#lib/values/text.ts';
import type { Instant } from '#lib/values/time.ts';
import { differencesOf, stocktakeAdjustments } from './adjustments.ts';
import { announceFinish, hastenFinish } from './finish.ts';
import { linesIn, readPositions } from './positions.ts';
import { requireInProgress, type StoredStocktake, stocktakeRef, stocktakes } from './record.ts';
import { statsWrite } from './stats.ts';
import { totals } from './totals.ts';

/*
 * End of a stocktake. For any number of positions it is one native transaction of a dozen items: the
 * document, which owns the locks of all counted stock levels (`standing-lock.ts`), becomes committed or
 * aborted, and the warehouse is reopened. The difference and cost of each line were determined when it was
 * counted, and are stored in the line.
 *
 * Goods receipts and write-off are built from the lines before that: the chunks of their lines are staged
 * under keys that are not read before the documents exist, and are written concurrently, outside any
 * transaction. They are all that an interrupted call leaves behind. On real DynamoDB, 10 000 positions that
 * all differ are a hundred chunks of 13 to 20 KB: 1 300 to 2 000 units on one or two partitions, so two
 * seconds; reading the lines takes 600 units of eight partitions. A worker then updates the stock levels, two
 * units each on a partition of its own; until then readers and writers see them through the lock.
 */

/** Way of ending a stocktake. */
interface Ending {
  readonly state: Exclude<OwnerState, 'preparing'>;
  /** Rejects a stocktake that cannot end so. */
  readonly check: (count: StoredStocktake) => void;
  /** Reads the lines if need be, and builds the resulting stocktake with the writes besides it. */
  readonly prepare: (
    count: Stored<typeof stocktakes.schema>,
    warehouse: Stored<typeof warehouses.Warehouse>,
  ) => Promise<{ readonly after: StoredStocktake; readonly writes: readonly Write[] }>;
}

/**
 * Completes a stocktake: the books take the counted quantities; the surplus is a goods receipt per currency,
 * the shortage a write-off. 400 if a line is unchecked, and for an ended stocktake. Part 2, "Inventories";
 * Contract 9.11, 9.12.
 */
export function completeStocktake(
  actor: Staff,
  id: number,
  { at, locale }: { readonly at: Instant; readonly locale: Locale },
  saveResponse: () => Write[],
): Promise<void> {
  const { tenant } = actor;
  const prepare: Ending['prepare'] = async (count, warehouse) => {
    requireTrading(actor, warehouse);
    // Read after the document: later changes of lines change its version.
    const differences = differencesOf(linesIn(await readPositions(stocktakeRef(tenant, id))));
    const completed = {
      ...count,
      company_id: warehouse.company_id,
      updater_id: actor.id,
      status: 'completed',
      completed_at: at,
      updated_at: at,
    } as const;
    const ending = { count: completed, tenant, by: makerOf(actor), at, locale };
    const ids = await drawAdjustmentIds(tenant, differences);
    const documents = stocktakeAdjustments(ending, differences, ids);
    await stageItems(documents.flatMap(({ packs }) => packs));
    return {
      after: completed,
      writes: [...documents.map(({ header }) => header), statsWrite(tenant, count, at), ...saveResponse()],
    };
  };
  return endCount(actor, id, { state: 'committed', check: requireChecked, prepare });
}

/** Allocates the ids of a stocktake's adjustments. One round trip. */
async function drawAdjustmentIds(tenant: Tenant, { surplus, shortage }: ReturnType<typeof differencesOf>) {
  const [receipt, writeOff, writeOffLine] = await Promise.all([
    nextId(goodsReceipts.type, tenant, surplus.length),
    nextId(writeOffs.type, tenant, shortage.length > 0 ? 1 : 0),
    nextId(WRITE_OFF_LINE, tenant, shortage.length),
  ]);
  return { receipt, writeOff, writeOffLine };
}

/** Cancels a stocktake: its lines are removed, and nothing has moved. 400 for an ended stocktake. */
export function cancelStocktake(
  actor: Staff,
  id: number,
  at: Instant,
  saveResponse: () => Write[],
): Promise<void> {
  const prepare: Ending['prepare'] = async (count) => {
    const after = {
      ...count,
      ...totals(() => 0),
      category_ids: {},
      brand_ids: {},
      updater_id: actor.id,
      status: 'canceled',
      updated_at: at,
    } as const;
    return { after, writes: saveResponse() };
  };
  return endCount(actor, id, { state: 'aborted', check: requireInProgress, prepare });
}

/** Ends a stocktake and reopens its warehouse, in one transaction, and enqueues the cleanup. */
async function endCount(actor: Staff, id: number, { state, check, prepare }: Ending): Promise<void> {
  const { tenant } = actor;
  let announced: Promise<void> | undefined;
  await retryOnContention(async () => {
    const count = await getDocumentToChange(stocktakes, actor, id);
    check(count);
    // Enqueued before the transaction, in case this call dies after it.
    announced ??= inBackground(announceFinish(actor.familyId, id));
    const key = warehouses.warehouseKey(tenant, count.stock_id);
    const warehouse = parseRecord(warehouses.Warehouse, await getItem(key));
    const [{ after, writes }] = await Promise.all([prepare(count, warehouse), announced]);
    await transact([
      ...documentReplacement(stocktakes, tenant, count, { ...after, ...ownerState(state) }),
      ...warehouses.stocktakeWrites(tenant, warehouse, null),
      reopeningWrite(tenant, warehouse.id),
      ...writes,
    ]);
  });
  await hastenFinish(actor.familyId, id);
}

/** Requires a stocktake in progress with every line checked. 400 otherwise. */
function requireChecked(count: StoredStocktake): void {
  requireInProgress(count);
  const left = count.products_count - count.checked_products_count;
  if (left > 0) throw badRequest('inventory.positions_unchecked', { count: left });
}
