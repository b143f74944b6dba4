import { makerOf, type Staff } from '#lib/access/actor.ts';

import { documentReplacement, getDocumentToChange } from '#lib/records/documents.ts';
import { readShelves } from '#lib/stock/shelves.ts';
import { reversalWrites } from '#lib/stock/supplier/owing.ts';
import type { Write } from '#lib/table/change/write.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { readGoods } from '#lib/trade/document/goods.ts';
import { refuse } from '#lib/values/refusal.ts';
import { dayOf, type Instant } from '#lib/values/time.ts';
import { type WriteOff, writeOffs } from './record.ts';

/**
 * Cancels a write-off. One that waits has moved nothing. A completed one is canceled on the day of its
 * completion: its goods go back into their very batches, and the supplier is owed for them again. 400 on any
 * other day, for a count's, for a canceled one, and as `requireWorking` says. Part 2, "Write-off"; Decisions,
 * 9 (12).
 */
export function cancelWriteOff(
  actor: Staff,
  id: number,
  at: Instant,
  remember: () => Write[],
): Promise<void> {
  const { home } = actor;
  return retryOnContention(async () => {
    const before = await getDocumentToChange(writeOffs, actor, id);
    requireCancelable(before, at);
    const after = { ...before, status: 'canceled', updated_at: at } as const;
    if (before.status !== 'completed') {
      return transact([...documentReplacement(writeOffs, home, before, after), ...remember()]);
    }
    const [{ lines, warehouse, productIds }, supplierWrites] = await Promise.all([
      readGoods(writeOffs, actor, before),
      reversalWrites(actor, before.supplier_operation_id, 'amounts', at),
    ]);
    const shelves = await readShelves(home, warehouse.id, productIds);
    shelves.putLines(lines, { document: 'writeoff', documentId: id, at, by: makerOf(actor) });
    // The warehouse may have come to another company since.
    const { company_id } = warehouse;
    await transact([
      ...documentReplacement(writeOffs, home, before, { ...after, company_id }),
      ...supplierWrites,
      ...shelves.writes(warehouse),
      ...remember(),
    ]);
  });
}

function requireCancelable({ status, source_type, completed_at }: WriteOff, at: Instant): void {
  if (source_type === 'inventory') throw refuse('writeoff.of_inventory');
  if (status === 'canceled') throw refuse('writeoff.canceled');
  const isTodays = completed_at !== null && dayOf(completed_at) === dayOf(at);
  if (status === 'completed' && !isTodays) throw refuse('writeoff.not_today');
}
