import * as z from 'zod';
import { type Cents, Currency, Money } from '#lib/values/money.ts';
import { amountOf, Quantity } from '#lib/values/quantity.ts';
import { Timestamp } from '#lib/values/time.ts';

/** The receipt of goods, and their cost. */
export const Origin = z.object({
  /** The receipt's line; for a batch of several lines, the oldest of them as a number below zero. */
  id: z.int(),
  /** The cost of one piece. */
  cost: Money,
  currency: Currency,
  /** When the goods came. */
  at: Timestamp,
});

export type Origin = Readonly<z.input<typeof Origin>>;

/** Goods that came with one line of a receipt, as far as they are still in a warehouse. Decisions, 4. */
export const Batch = Origin.extend({ left: Quantity });

export type Batch = Readonly<z.input<typeof Batch>>;

/** A document's share of a batch: enough to put it back even if the batch is gone. */
export const Part = Origin.extend({ quantity: Quantity });

export type Part = Readonly<z.input<typeof Part>>;

/** A part as it is taken, with what the batch has left without it; `costOf` needs this. */
export type TakenPart = Part & { readonly left: number };

/** Batches of a product that a warehouse keeps apart: 50 kilobytes, of the 400 that one item may have. */
export const MOST_BATCHES = 1000;

/**
 * Takes goods: those that are promised, as far as the batches have them, and the rest of the oldest batches.
 * Undefined if there are not as many.
 */
export function takeOldest(
  batches: readonly Batch[],
  quantity: number,
  promised: readonly Part[] = [],
): readonly TakenPart[] | undefined {
  const first = new Map(splitParts(promised, quantity)[0].map((part) => [part.id, part.quantity]));
  const promisedOf = ({ id, left }: Batch) => Math.min(left, first.get(id) ?? 0);
  let wanted = quantity - batches.reduce((sum, batch) => sum + promisedOf(batch), 0);
  const parts = batches.flatMap((batch): TakenPart[] => {
    const { left, ...origin } = batch;
    const own = promisedOf(batch);
    const more = Math.min(left - own, wanted);
    wanted -= more;
    return own + more === 0 ? [] : [{ ...origin, quantity: own + more, left: left - own - more }];
  });
  return wanted === 0 ? parts : undefined;
}

/** Makes the parts that a document's line keeps of the parts as they were taken. */
export function bareParts(parts: readonly TakenPart[]): Part[] {
  return parts.map(({ left: _, ...part }) => part);
}

/** Computes the worth of a part, in the batch's own currency: the parts of a batch add up to it. */
export function worthOf({ cost, quantity, left }: TakenPart): Cents {
  return amountOf(cost, left + quantity) - amountOf(cost, left);
}

/** Takes parts out of the batches that they belong to. */
export function without(batches: readonly Batch[], parts: readonly Part[]): Batch[] {
  const taken = new Map(parts.map(({ id, quantity }) => [id, quantity]));
  return batches
    .map((batch) => ({ ...batch, left: batch.left - (taken.get(batch.id) ?? 0) }))
    .filter(({ left }) => left > 0);
}

/** Puts parts back into the batches that they were taken from, in the order in which the goods first came. */
export function withParts(batches: readonly Batch[], parts: readonly Part[]): Batch[] {
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
 * of its id, and open one, with its own cost and date. That is right, as nothing else is known of them. It
 * does not matter which of equal goods were sold, so the sum of each cost and the order of dates are the same
 * as without a merge. To follow each line into its merged batch, one would have to keep its way for ever,
 * only to reach the same sums. And a merge never moves goods from one cost to another, so a part's cost
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

/**
 * Splits parts in two: so many of the first, and what is left of them. What was taken last is in the second.
 */
export function splitParts(parts: readonly Part[], quantity: number): readonly [Part[], Part[]] {
  const [first, rest]: [Part[], Part[]] = [[], []];
  let wanted = quantity;
  for (const part of parts) {
    const taken = Math.min(part.quantity, wanted);
    wanted -= taken;
    if (taken > 0) first.push({ ...part, quantity: taken });
    if (taken < part.quantity) rest.push({ ...part, quantity: part.quantity - taken });
  }
  return [first, rest];
}

/** Joins parts with further ones, each batch once. */
export function joinParts(parts: readonly Part[], further: readonly Part[]): Part[] {
  const byId = new Map(parts.map((part) => [part.id, part]));
  for (const part of further) {
    byId.set(part.id, { ...part, quantity: part.quantity + (byId.get(part.id)?.quantity ?? 0) });
  }
  return [...byId.values()];
}

/** Sums what there is in batches. */
export function sumOf(batches: readonly Batch[]): number {
  return batches.reduce((sum, { left }) => sum + left, 0);
}

/** Computes how much more or less each batch has than before. */
export function differences(
  before: readonly Batch[],
  after: readonly Batch[],
): Pick<Part, 'id' | 'quantity'>[] {
  const change = new Map(before.map(({ id, left }) => [id, -left]));
  for (const { id, left } of after) change.set(id, (change.get(id) ?? 0) + left);
  return [...change].map(([id, quantity]) => ({ id, quantity })).filter(({ quantity }) => quantity !== 0);
}

/**
 * Finds the newest of the goods; of those that came at once, that of the last line. Undefined if there are
 * none.
 */
export function newest(goods: readonly Origin[]): Origin | undefined {
  return newestOf(goods, 1)[0];
}

/** Finds so many of the goods, the newest first. */
export function newestOf(goods: readonly Origin[], most: number): Origin[] {
  const first = goods.toSorted((a, b) => byAge(b, a)).slice(0, most);
  return first.map(({ id, cost, currency, at }) => ({ id, cost, currency, at }));
}

function byAge(a: Origin, b: Origin): number {
  return a.at - b.at || Math.abs(a.id) - Math.abs(b.id) || a.id - b.id;
}
