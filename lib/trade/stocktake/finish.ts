import * as z from 'zod';
import { enqueue, enqueueSurely, STOCKTAKE_WORKER } from '#lib/queues/queue.ts';
import { parseStored } from '#lib/records/stored.ts';
import { stockLevelKey } from '#lib/stock/stock-level.ts';
import { removeAfterwards } from '#lib/table/change/send.ts';
import { recoverItems } from '#lib/table/journal/recovery.ts';
import { familyTenant, recordKey } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import { mapConcurrent, splitEvery } from '#lib/values/concurrency.ts';
import { linesIn, partsOf, readPositions } from './positions.ts';
import { stocktakeLock, stocktakeRef, stocktakes } from './record.ts';

/**
 * Longer than the longest call, which by then has either ended its stocktake or failed. Replicas get the
 * stock levels within a minute. Part 4, 4.1, 7.
 */
const ANNOUNCE_DELAY_S = 45;

/** Stock levels finished concurrently: twice the number of connections. */
const STEP = 100;

/** Message about a stocktake that has ended, or was about to. */
export const FinishMessage = z.object({ family_id: z.int(), id: z.int() });

/**
 * Enqueues the finishing of a stocktake's stock levels, in case this call does not survive. 503 if the queue
 * fails, before anything has ended: lists show the final stock levels of an ended stocktake, but replicas and
 * webhooks receive each only once it is written.
 */
export function announceFinish(family_id: number, id: number): Promise<void> {
  return enqueueSurely(STOCKTAKE_WORKER, { family_id, id }, ANNOUNCE_DELAY_S);
}

/** Enqueues the finishing immediately. Failures are only logged: the delayed message arrives in any case. */
export async function hastenFinish(family_id: number, id: number): Promise<void> {
  try {
    await enqueue(STOCKTAKE_WORKER, { family_id, id });
  } catch (error) {
    const reason = error instanceof Error ? error.message : error;
    process.emitWarning(`Count ${id}: balances are finished later: ${reason}`);
  }
}

/**
 * Writes the final stock levels of an ended stocktake, and removes the lines of a canceled one. Finished ones
 * are skipped, so it is idempotent and can be interrupted and repeated.
 */
export async function finishStocktake({ family_id, id }: z.output<typeof FinishMessage>): Promise<void> {
  const ref = stocktakeRef(familyTenant(family_id), id);
  const count = parseStored(stocktakes.schema, await getItem(recordKey(ref.type, ref.tenant, id)));
  if (count.status === 'in_progress') return;
  const lines = linesIn(await readPositions(ref));
  const keys = lines.map(({ product_id }) => stockLevelKey(ref.tenant, count.stock_id, product_id));
  for (const step of splitEvery(keys, STEP)) await recoverItems(stocktakeLock(ref), step);
  if (count.status === 'canceled') {
    const parts = await partsOf(ref);
    await mapConcurrent(parts, STEP, removeAfterwards);
  }
}
