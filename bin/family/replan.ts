import { repricings } from '#lib/catalog/repricing/record.ts';
import { dueWorkWrite } from '#lib/records/due.ts';
import { parseRecord } from '#lib/records/stored.ts';
import { familyTenant, partition } from '#lib/table/keys.ts';
import { walk } from '#lib/table/read/walk.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import { REPRICING_DUE } from '#lib/trade/repricing/plan.ts';

/**
 * Makes the planned repricings of a family due again: due work is listed for all families together, and
 * one that was made or canceled since is no longer listed.
 */
export async function replanRepricings(familyId: number): Promise<void> {
  for await (const items of walk(partition(repricings.type, familyTenant(familyId)))) {
    for (const { id, status, starts_at } of items.map((item) => parseRecord(repricings.schema, item))) {
      if (status !== 'planned' || typeof starts_at !== 'number') continue;
      await transact([dueWorkWrite(REPRICING_DUE, { familyId, id, at: starts_at })]);
    }
  }
}
