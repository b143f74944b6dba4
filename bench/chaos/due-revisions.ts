import * as z from 'zod';
import type { SyncEntryShape } from '#bench/support/sync-page.ts';
import type { SyncType } from '#lib/records/sync-type.ts';

/* Revisions that receivers of webhooks must have received, from all that a family's director reads. */

const BALANCE: SyncType = 'stock.product';

/** Types of sync whose every change makes an event. Those with counters of their own are none. */
export const HEARD: readonly SyncType[] = [
  ...(['trade.sale', 'trade.hold', 'trade.transfer', 'trade.inventory', 'client.debt'] as const),
  ...(['client.deposit', 'client.debt-writeoff', 'trade.cost-correction'] as const),
  BALANCE,
];

/** State of a family's records, now and when the receiver was started. */
export interface ReceiverFamily {
  readonly familyId: number;
  readonly entries: ReadonlyMap<string, Pick<SyncEntryShape, 'type' | 'id' | 'revision' | 'record'>>;
  readonly before: ReadonlyMap<string, number>;
}

/** Record whose last change must have been received. */
interface DueRevision {
  /** The receiver's path, type and id. */
  readonly name: string;
  readonly revision: number;
  /** The lowest revision in an event of the last change. */
  readonly least: number;
}

const Level = z.object({ stock_id: z.int() });

const Stocktake = z.object({
  status: z.string(),
  products: z.array(z.object({ id: z.int(), difference: z.number().nullable() })).nullable(),
});

/** Lists the records that changed since the receiver was started, with the revisions to be received. */
export function dueRevisions({ familyId, entries, before }: ReceiverFamily): DueRevision[] {
  const notes = agreements(entries.values());
  return [...entries].flatMap(([key, { type, id, revision, record }]) => {
    if (!HEARD.includes(type) || revision === before.get(key)) return [];
    const name = nameIn(`/${familyId}`, { type, id });
    if (type !== BALANCE) return [{ name, revision, least: revision }];
    const warehouse = `stock.stock ${Level.parse(record).stock_id}`;
    const placedBefore = before.get(warehouse) ?? 0;
    const moved = (entries.get(warehouse)?.revision ?? placedBefore) - placedBefore;
    const least = revision - moved - (notes.get(id) ?? 0);
    return least <= (before.get(key) ?? 0) ? [] : [{ name, revision, least }];
  });
}

/** Returns the name of a record at a receiver. */
export function nameIn(path: string, { type, id }: { readonly type: SyncType; readonly id: number }): string {
  return `${path} ${type} ${id}`;
}

/**
 * Counts the completed stocktakes that agreed with each stock level: they are noted there, which raises its
 * revision and is no event. A stocktake also closes and reopens its warehouse, whose revision is part of that
 * of all its stock levels, whether counted or not.
 */
function agreements(entries: Iterable<Pick<SyncEntryShape, 'type' | 'record'>>): Map<number, number> {
  const notes = new Map<number, number>();
  for (const { type, record } of entries) {
    if (type !== 'trade.inventory') continue;
    const { status, products } = Stocktake.parse(record);
    if (status !== 'completed') continue;
    for (const { id, difference } of products ?? []) {
      if (difference === 0) notes.set(id, (notes.get(id) ?? 0) + 1);
    }
  }
  return notes;
}
