import type * as z from 'zod';
import { Quantity } from '#lib/values/quantity.ts';
import {
  BatchOrigin,
  type BatchPart,
  byAge,
  idAmong,
  lineOfBatch,
  originOf,
  splitParts,
  type TakenBatchPart,
} from './batch-part.ts';

/** Remaining goods of one goods-receipt line in a warehouse. Contract 4. */
export const Batch = BatchOrigin.extend({ left: Quantity });

export type Batch = Readonly<z.input<typeof Batch>>;

/** Limit of a stock level's batches: 70 kilobytes of DynamoDB's 400 per item. */
export const MAX_BATCHES = 1000;

/**
 * Takes goods: reserved parts first, as far as their batches have them, then from the oldest batches.
 * Undefined if the quantity is insufficient.
 */
export function takeOldest(
  batches: readonly Batch[],
  quantity: number,
  promised: readonly BatchPart[] = [],
): readonly TakenBatchPart[] | undefined {
  const first = quantitiesOf(splitParts(promised, quantity)[0]);
  const ownShare = ({ id, left }: Batch) => Math.min(left, first.get(id) ?? 0);
  let remaining = quantity - batches.reduce((sum, batch) => sum + ownShare(batch), 0);
  const parts = batches.flatMap((batch): TakenBatchPart[] => {
    const { left, ...origin } = batch;
    const own = ownShare(batch);
    const more = Math.min(left - own, remaining);
    remaining -= more;
    return own + more === 0 ? [] : [{ ...origin, quantity: own + more, left: left - own - more }];
  });
  return remaining === 0 ? parts : undefined;
}

/** Subtracts parts from their batches. */
export function without(batches: readonly Batch[], parts: readonly BatchPart[]): Batch[] {
  const taken = quantitiesOf(parts);
  return batches
    .map((batch) => ({ ...batch, left: batch.left - (taken.get(batch.id) ?? 0) }))
    .filter(({ left }) => left > 0);
}

/**
 * Returns parts to their batches, sorted by time of receipt, and the parts as they lie there. A batch of
 * another cost takes none: the goods become a batch of their own. `past` are exhausted batches. Part 5, 5A.4,
 * 2.
 */
export function placeParts(
  batches: readonly Batch[],
  parts: readonly BatchPart[],
  past: readonly BatchOrigin[] = [],
): { readonly batches: Batch[]; readonly placed: BatchPart[] } {
  const byId = new Map(batches.map((batch) => [batch.id, batch]));
  const others = new Map<number, BatchOrigin>([...past, ...batches].map((goods) => [goods.id, goods]));
  const placed = parts.map((part) => {
    const id = idAmong(part, others);
    const batch = { ...originOf({ ...part, id }), left: (byId.get(id)?.left ?? 0) + part.quantity };
    byId.set(id, batch);
    others.set(id, batch);
    return { ...part, id };
  });
  return { batches: [...byId.values()].sort(byAge), placed };
}

/**
 * Merges batches of equal cost and currency, each as old as its oldest.
 *
 * A merged batch gets a negative id, from its oldest line. A positive id thus always means goods of that one
 * line: a goods receipt whose batch was merged never counts as intact, and a write-off "of that receipt"
 * takes no other goods. Goods taken from a line before the merge and returned after it find no batch with
 * their id, and create one with their own cost and date. That is correct, because goods of equal cost are
 * interchangeable: the total of each cost and the order of dates are the same as without a merge. Following
 * each line into its merged batch would need a permanent mapping, and give the same totals. A merge never
 * moves goods from one cost to another, so a part's cost stays that of its batch, under either id.
 */
export function mergeEqual(batches: readonly Batch[]): Batch[] {
  const groups = [...Map.groupBy(batches, ({ cost, currency }) => `${cost} ${currency}`).values()];
  const [single, several] = [groups.filter(isSingle), groups.filter((group) => !isSingle(group))];
  const byId = new Map<number, Batch>(single.flat().map((batch) => [batch.id, batch]));
  for (const group of several) {
    const merged = merge(group, byId);
    byId.set(merged.id, merged);
  }
  return [...byId.values()].sort(byAge);
}

function isSingle({ length }: readonly Batch[]): boolean {
  return length === 1;
}

function merge(batches: readonly Batch[], others: ReadonlyMap<number, Batch>): Batch {
  const [oldest] = batches.toSorted(byAge);
  if (!oldest) throw new Error('There is nothing to merge');
  const id = idAmong({ ...oldest, id: -lineOfBatch(oldest.id) }, others);
  return { ...oldest, id, left: sumOf(batches) };
}

function quantitiesOf(parts: readonly BatchPart[]): ReadonlyMap<number, number> {
  return new Map(parts.map(({ id, quantity }) => [id, quantity]));
}

/** Sums the quantities of batches. */
export function sumOf(batches: readonly Batch[]): number {
  return batches.reduce((sum, { left }) => sum + left, 0);
}

/** Computes the change of each batch's quantity. */
export function differences(
  before: readonly Batch[],
  after: readonly Batch[],
): Pick<BatchPart, 'id' | 'quantity'>[] {
  const change = new Map(before.map(({ id, left }) => [id, -left]));
  for (const { id, left } of after) change.set(id, (change.get(id) ?? 0) + left);
  return [...change].map(([id, quantity]) => ({ id, quantity })).filter(({ quantity }) => quantity !== 0);
}
