import { makerOf, requireTrading, type Staff } from '#lib/auth/actor.ts';
import { documentReplacement, getDocumentToChange } from '#lib/records/documents.ts';
import { parseRecord, type Stored } from '#lib/records/stored.ts';
import { reopeningWrite } from '#lib/stock/inflow.ts';
import * as warehouses from '#lib/stock/warehouse.ts';
import type { Write } from '#lib/table/change/write.ts';
import { type OwnerState, ownerState } from '#lib/table/journal/standing-lock.ts';
import { getItem } from '#lib/table/read/get.ts';
import { retryOnContention, stageItems, transact } from '#lib/table/transaction/transact.ts';
import { badRequest } from '#lib/values/api-error.ts';
import { inBackground } from '#lib/values/concurrency.ts';
import type { Locale } from '#lib/values/text.ts';
import type { Instant } from '#lib/values/time.ts';
import { stocktakeAdjustments } from './adjustments.ts';
import { announceFinish, hastenFinish } from './finish.ts';
import { linesIn, readPositions } from './positions.ts';
import { requireInProgress, type StoredStocktake, stocktakeRef, stocktakes } from './record.ts';
import { statsWrite } from './stats.ts';
import { totals } from './totals.ts';

/*
 * The end of a count. However many positions it has, it is one native transaction of a dozen items: the
 * document, which owns the lock of all balances that were counted (`standing.ts`), turns committed or
 * aborted, and the warehouse is open again. What each line differs by and costs was settled when it was
 * counted, and stands in the line.
 *
 * Receipt and write-off are made of the lines before that: their packs stand at keys that nobody reads before
 * the documents are there, and are written side by side, outside any transaction. Of a call that dies between
 * they are all that is left. On real DynamoDB, 10 000 positions that all differ are a hundred packs of 13 to
 * 20 KB: 1 300 to 2 000 units on one or two partitions, so two seconds; to read the lines takes 600 units of
 * eight partitions. A worker brings the balances up behind it, two units each on a partition of its own;
 * until then readers and writers see them through the lock.
 */

/** A way in which a count ends. */
interface Ending {
  readonly state: Exclude<OwnerState, 'preparing'>;
  /** Refuses a count that can't end so. */
  readonly check: (count: StoredStocktake) => void;
  /** Makes the count as it is then, and the writes beside it. */
  readonly decide: (
    count: Stored<typeof stocktakes.schema>,
    warehouse: Stored<typeof warehouses.Warehouse>,
  ) => Promise<{ readonly after: StoredStocktake; readonly writes: readonly Write[] }>;
}

/**
 * Completes a count: books are what was counted; the surplus is a receipt a currency, the shortage a
 * write-off. 400 if a line is unchecked, and for a count that is over. Part 2, "Inventories"; Contract 9.11,
 * 9.12.
 */
export function completeStocktake(
  actor: Staff,
  id: number,
  { at, locale }: { readonly at: Instant; readonly locale: Locale },
  saveResponse: () => Write[],
): Promise<void> {
  const { tenant } = actor;
  const decide: Ending['decide'] = async (count, warehouse) => {
    requireTrading(actor, warehouse);
    // They are read after the document: what changes from then on changes its version.
    const lines = linesIn(await readPositions(stocktakeRef(tenant, id)));
    const completed = {
      ...count,
      company_id: warehouse.company_id,
      updater_id: actor.id,
      status: 'completed',
      completed_at: at,
      updated_at: at,
    } as const;
    const ending = { count: completed, tenant, by: makerOf(actor), at, locale };
    const documents = await stocktakeAdjustments(ending, lines);
    await stageItems(documents.flatMap(({ packs }) => packs));
    return {
      after: completed,
      writes: [...documents.map(({ header }) => header), statsWrite(tenant, count, at), ...saveResponse()],
    };
  };
  return endCount(actor, id, { state: 'committed', check: requireChecked, decide });
}

/** Cancels a count: its lines are gone, and nothing has moved. 400 for a count that is over. */
export function cancelStocktake(
  actor: Staff,
  id: number,
  at: Instant,
  saveResponse: () => Write[],
): Promise<void> {
  const decide: Ending['decide'] = async (count) => {
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
  return endCount(actor, id, { state: 'aborted', check: requireInProgress, decide });
}

/** Ends a count and opens its warehouse, in one transaction, and has a worker see to what is left. */
async function endCount(actor: Staff, id: number, { state, check, decide }: Ending): Promise<void> {
  const { tenant } = actor;
  let announced: Promise<void> | undefined;
  await retryOnContention(async () => {
    const count = await getDocumentToChange(stocktakes, actor, id);
    check(count);
    // If this call dies once it has ended the count, the worker hears of it from this message.
    announced ??= inBackground(announceFinish(actor.familyId, id));
    const key = warehouses.warehouseKey(tenant, count.stock_id);
    const warehouse = parseRecord(warehouses.Warehouse, await getItem(key));
    const [{ after, writes }] = await Promise.all([decide(count, warehouse), announced]);
    await transact([
      ...documentReplacement(stocktakes, tenant, count, { ...after, ...ownerState(state) }),
      ...warehouses.stocktakeWrites(tenant, warehouse, null),
      reopeningWrite(tenant, warehouse.id),
      ...writes,
    ]);
  });
  await hastenFinish(actor.familyId, id);
}

/** Requires a count in progress of which every line is checked. 400 for any other. */
function requireChecked(count: StoredStocktake): void {
  requireInProgress(count);
  const left = count.products_count - count.checked_products_count;
  if (left > 0) throw badRequest('inventory.positions_unchecked', { count: left });
}
