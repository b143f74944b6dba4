import * as z from 'zod';
import { TRANSFER } from '#lib/cash/transfer.ts';
import { familyHome, partition } from '#lib/table/keys.ts';
import { walk } from '#lib/table/walk.ts';
import { purchases } from '#lib/trade/receipt/record.ts';
import { sales } from '#lib/trade/sale/record.ts';
import type { Operation } from './operation.ts';
import type { Told } from './told.ts';

/** The trace of an operation in the table. */
const Trace = z.object({
  id: z.int(),
  comment: z.string().nullable(),
  status: z.string(),
  source_type: z.string().optional(),
});

/** The ids of new records, by the name of the operation that made them. */
type Done = Map<string, number[]>;

/** Finds out what was done in families, by the comments of documents. */
export async function readDone(familyIds: readonly number[]): Promise<Done> {
  const done: Done = new Map();
  for (const familyId of familyIds) {
    for (const type of [sales.type, purchases.type, TRANSFER]) {
      for await (const items of walk(partition(type, familyHome(familyId)))) {
        const names = items
          .map((item) => Trace.parse(item))
          .flatMap((trace) => namesOf(type, familyId, trace));
        for (const { name, id } of names) done.set(name, [...(done.get(name) ?? []), id]);
      }
    }
  }
  return done;
}

function namesOf(
  type: string,
  familyId: number,
  { id, comment, status, source_type }: z.output<typeof Trace>,
) {
  // The transfers of a sale have its comment.
  const made = comment === null || source_type === 'sale' ? [] : [comment];
  const isCompleted = type === purchases.type && status === 'completed';
  const isReturned = type === sales.type && status === 'full_returned';
  return [
    ...made,
    ...(isCompleted ? [completionOf(familyId, id)] : []),
    ...(isReturned ? [returnOf(familyId, id)] : []),
  ].map((name) => ({ name, id }));
}

/** Compares what clients were told with what was done; answers with what does not agree. */
export function disagreements(told: readonly Told[], done: Done): { name: string; what: string }[] {
  return told.flatMap(({ operation, outcome, ids, statuses }) => {
    const made = done.get(traceOf(operation)) ?? [];
    const { name } = operation;
    const say = (what: string) => [{ name, what: `${name}, ${operation.request}: ${what}` }];
    if (made.length > 1) return say(`done ${made.length} times, as ${made.join(', ')}`);
    if (outcome === 'done' && made.length === 0) return say(`answered ${statuses}, and not done`);
    if (outcome === 'refused' && made.length > 0) return say(`answered ${statuses}, and done as ${made}`);
    if (ids.some((id) => id !== made[0])) return say(`answered ${ids}, and done as ${made}`);
    return [];
  });
}

function traceOf({ kind, name, documentId, scene }: Operation): string {
  if (documentId === undefined) return name;
  return kind === 'return' ? returnOf(scene.familyId, documentId) : completionOf(scene.familyId, documentId);
}

function returnOf(familyId: number, saleId: number): string {
  return `return of ${familyId} ${saleId}`;
}

function completionOf(familyId: number, receiptId: number): string {
  return `completion of ${familyId} ${receiptId}`;
}
