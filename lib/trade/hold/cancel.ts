import type { Staff } from '#lib/access/actor.ts';
import { documentReplacement } from '#lib/records/documents.ts';
import type { Write } from '#lib/table/change/write.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import type { Instant } from '#lib/values/time.ts';
import { causeOf, readOpenHold } from './change.ts';
import { readHeldShelves } from './goods.ts';
import { holds } from './record.ts';

/**
 * Cancels a hold: its goods come back into the very batches they were taken of. 400 for one that is closed or
 * canceled, and while a count has closed the warehouse. Part 2, "Hold".
 */
export function cancelHold(actor: Staff, id: number, at: Instant, remember: () => Write[]): Promise<void> {
  const { home } = actor;
  return retryOnContention(async () => {
    const { hold, lines } = await readOpenHold(actor, id);
    const { shelves, warehouse } = await readHeldShelves(actor, hold, lines);
    shelves.putLines(lines, causeOf(hold, actor, at));
    const after = { ...hold, status: 'canceled', updater_id: actor.id, updated_at: at } as const;
    await transact([
      ...documentReplacement(holds, home, hold, after),
      ...shelves.writes(warehouse),
      ...remember(),
    ]);
  });
}
