import type * as z from 'zod';
import { Quantity } from '#lib/values/quantity.ts';
import { BatchOrigin, type BatchPart, byAge, splitParts, type TakenBatchPart } from './batch-part.ts';

/** Goods that came with one line of a receipt, as far as they are still in a warehouse. Contract 4. */
export const Batch = BatchOrigin.extend({ left: Quantity });

export type Batch = Readonly<z.input<typeof Batch>>;

/** Batches of a product that a warehouse keeps apart: 50 kilobytes, of the 400 that one item may have. */
export const MAX_BATCHES = 1000;

/**
 * Takes goods: those that are promised, as far as the batches have them, and the rest of the oldest batches.
 * Undefined if there are fewer.
 */
export function takeOldest(
  batches: readonly Batch[],
  quantity: number,
  promised: readonly BatchPart[] = [],
): readonly TakenBatchPart[] | undefined {
  const first = quantitiesOf(splitParts(promised, quantity)[0]);
  const ownShare = ({ id, left }: Batch) => Math.min(left, first.get(id) ?? 0);
  let wanted = quantity - batches.reduce((sum, batch) => sum + ownShare(batch), 0);
  const parts = batches.flatMap((batch): TakenBatchPart[] => {
    const { left, ...origin } = batch;
    const own = ownShare(batch);
    const more = Math.min(left - own, wanted);
    wanted -= more;
    return own + more === 0 ? [] : [{ ...origin, quantity: own + more, left: left - own - more }];
  });
  return wanted === 0 ? parts : undefined;
}

/** Takes parts out of the batches that they belong to. */
export function without(batches: readonly Batch[], parts: readonly BatchPart[]): Batch[] {
  const taken = quantitiesOf(parts);
  return batches
    .map((batch) => ({ ...batch, left: batch.left - (taken.get(batch.id) ?? 0) }))
    .filter(({ left }) => left > 0);
}

/** Puts parts back into the batches that they were taken from, in the order in which the goods first came. */
export function withParts(batches: readonly Batch[], parts: readonly BatchPart[]): Batch[] {
  const held = new Map(batches.map((batch) => [batch.id, batch]));
  for (const { id, cost, currency, at, quantity } of parts) {
    held.set(id, { id, cost, currency, at, left: (held.get(id)?.left ?? 0) + quantity });
  }
  return [...held.values()].sort(byAge);
}

/**
 * Merges batches of one cost and currency, each as old as its oldest.
 *
 * A merged batch gets an id below zero, that of its oldest line. So an id above zero always means goods of
 * that one line: a receipt whose batch was merged is not taken for whole, and a write-off "of that receipt"
 * takes no other goods. Goods that were taken of a line before the merge and come back after it find no batch
 * of its id, and make one, with its own cost and date. That is right, as nothing else is known of them. It
 * does not matter which of equal goods were sold, so the sum of each cost and the order of dates are the same
 * as without a merge. To follow each line into its merged batch, one would have to keep its way for ever, and
 * only reach the same sums. And a merge never moves goods from one cost to another, so a part's cost
 * is the one its batch still has, under whichever id.
 */
export function mergeEqual(batches: readonly Batch[]): Batch[] {
  const groups = Map.groupBy(batches, ({ cost, currency }) => `${cost} ${currency}`);
  return [...groups.values()].map(merge).sort(byAge);
}

function merge(batches: readonly Batch[]): Batch {
  const [oldest, ...others] = batches.toSorted(byAge);
  if (!oldest) throw new Error('There is nothing to merge');
  if (others.length === 0) return oldest;
  return { ...oldest, id: -Math.abs(oldest.id), left: sumOf(batches) };
}

function quantitiesOf(parts: readonly BatchPart[]): ReadonlyMap<number, number> {
  return new Map(parts.map(({ id, quantity }) => [id, quantity]));
}

/** Sums what there is in batches. */
export function sumOf(batches: readonly Batch[]): number {
  return batches.reduce((sum, { left }) => sum + left, 0);
}

/** Computes how much more or less each batch has than before. */
export function differences(
  before: readonly Batch[],
  after: readonly Batch[],
): Pick<BatchPart, 'id' | 'quantity'>[] {
  const change = new Map(before.map(({ id, left }) => [id, -left]));
  for (const { id, left } of after) change.set(id, (change.get(id) ?? 0) + left);
  return [...change].map(([id, quantity]) => ({ id, quantity })).filter(({ quantity }) => quantity !== 0);
}
