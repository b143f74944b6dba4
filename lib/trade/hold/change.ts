import { makerOf, type Staff } from '#lib/auth/actor.ts';
import { documentReplacement, getDocumentToChange } from '#lib/records/documents.ts';
import { lineWrites } from '#lib/records/lines.ts';
import type { Stored } from '#lib/records/stored.ts';
import type { Cause } from '#lib/stock/movement.ts';
import { readStockLevels } from '#lib/stock/stock-levels.ts';
import type { Write } from '#lib/table/change/write.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { documentRef, readGoods } from '#lib/trade/document/lines.ts';
import { withProducts } from '#lib/trade/document/show.ts';
import { badRequest } from '#lib/values/api-error.ts';
import { totalAmount } from '#lib/values/money.ts';
import type { Instant } from '#lib/values/time.ts';
import { type FullHold, HoldLine, holds } from './record.ts';

/** Hold as read, to be changed. */
export type OpenHold = Stored<typeof holds.schema>;

/** Reads a hold in progress. 404 as for the hold itself, 400 if it is closed or canceled. One round trip. */
export async function getOpenHold(actor: Staff, id: number): Promise<OpenHold> {
  const hold = await getDocumentToChange(holds, actor, id);
  if (hold.status !== 'in_progress') throw badRequest('hold.not_in_progress');
  return hold;
}

/**
 * Cancels a hold: its goods return to the batches they were taken from. 400 if it is closed or canceled, or a
 * stocktake has closed the warehouse. Part 2, "Hold".
 */
export function cancelHold(
  actor: Staff,
  id: number,
  at: Instant,
  saveResponse: () => Write[],
): Promise<void> {
  const { tenant } = actor;
  return retryOnContention(async () => {
    const hold = await getOpenHold(actor, id);
    const { lines, warehouse, productIds } = await readGoods(holds, actor, hold);
    const stockLevels = await readStockLevels(tenant, warehouse.id, productIds);
    stockLevels.putLines(lines, holdCause(hold, actor, at));
    const after = { ...hold, status: 'canceled', updater_id: actor.id, updated_at: at } as const;
    await transact([
      ...documentReplacement(holds, tenant, hold, after),
      ...stockLevels.writes(warehouse),
      ...saveResponse(),
    ]);
  });
}

/** Replaces the lines of a hold: returns it as it will be, with the writes. One round trip. */
export async function replaceHoldLines(
  actor: Staff,
  hold: OpenHold,
  lines: readonly HoldLine[],
  at: Instant,
) {
  const contents = { amount: totalAmount(lines), products_count: lines.length };
  const after = { ...hold, ...contents, updater_id: actor.id, updated_at: at };
  const place = documentRef(holds, actor.tenant, hold.id);
  const writes = [
    ...documentReplacement(holds, actor.tenant, hold, after),
    ...lineWrites(place, lines, hold.products_count),
  ];
  const full: FullHold = { ...after, products: await withProducts(HoldLine, actor.tenant, lines) };
  return { full, writes };
}

/** Returns a hold as the cause of movements. */
export function holdCause(hold: { readonly id: number }, actor: Staff, at: Instant): Omit<Cause, 'lineId'> {
  return { document: 'hold', documentId: hold.id, by: makerOf(actor), at };
}
