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
 * Longer than any call lives: by then a count that was to be ended has been, or won't be by that call. Within
 * a minute its balances are told to copies. Part 4, 4.1, 7.
 */
const LATER_S = 45;

/** Balances that are finished at a time: twice as many as there are connections. */
const STEP = 100;

/** Names a count that is over, or was about to be. */
export const FinishMessage = z.object({ family_id: z.int(), id: z.int() });

/**
 * Has a worker see to a count's balances once it is over, whatever becomes of this call. 503 if the queue
 * does not take it, while nothing has ended yet: lists show balances of a count that is over as they are,
 * but until each is written, neither copies nor webhooks hear of it.
 */
export function announceFinish(family_id: number, id: number): Promise<void> {
  return enqueueSurely(STOCKTAKE_WORKER, { family_id, id }, LATER_S);
}

/** Has a worker see to them at once. It is not worth a failure: the announced message comes in any case. */
export async function hastenFinish(family_id: number, id: number): Promise<void> {
  try {
    await enqueue(STOCKTAKE_WORKER, { family_id, id });
  } catch (error) {
    const why = error instanceof Error ? error.message : error;
    process.emitWarning(`Count ${id}: balances are finished later: ${why}`);
  }
}

/**
 * Brings the balances of a count that is over to what it has made of them, and removes what a canceled one
 * leaves. What is finished is passed over, so that it may be done twice, and be cut off and begun again.
 */
export async function finishStocktake({ family_id, id }: z.output<typeof FinishMessage>): Promise<void> {
  const place = stocktakeRef(familyTenant(family_id), id);
  const count = parseStored(stocktakes.schema, await getItem(recordKey(place.type, place.tenant, id)));
  if (count.status === 'in_progress') return;
  const lines = linesIn(await readPositions(place));
  const keys = lines.map(({ product_id }) => stockLevelKey(place.tenant, count.stock_id, product_id));
  for (const step of splitEvery(keys, STEP)) await recoverItems(stocktakeLock(place), step);
  if (count.status === 'canceled') {
    const parts = await partsOf(place);
    await mapConcurrent(parts, STEP, removeAfterwards);
  }
}
