import * as z from 'zod';
import { Currency, type MinorUnits, Money } from '#lib/values/money.ts';
import { amountOf, Quantity } from '#lib/values/quantity.ts';
import { Timestamp } from '#lib/values/time.ts';

/** The receipt of goods, and their cost. */
export const BatchOrigin = z.object({
  /** The receipt's line; for a batch of several lines, the oldest of them as a number below zero. */
  id: z.int(),
  /** The cost of one piece. */
  cost: Money,
  currency: Currency,
  /** When the goods came. */
  at: Timestamp,
});

export type BatchOrigin = Readonly<z.input<typeof BatchOrigin>>;

/** A document's share of a batch: enough to put it back even if the batch is gone. */
export const BatchPart = BatchOrigin.extend({ quantity: Quantity });

export type BatchPart = Readonly<z.input<typeof BatchPart>>;

/** A part as it is taken, with what the batch has left without it; `costOf` needs this. */
export type TakenBatchPart = BatchPart & { readonly left: number };

/** Leaves out what only `batchPartValue` needs: a document's line keeps the rest. */
export function bareParts(parts: readonly TakenBatchPart[]): BatchPart[] {
  return parts.map(({ left: _, ...part }) => part);
}

/** Computes the worth of a part, in the batch's own currency: the parts of a batch add up to it. */
export function batchPartValue({ cost, quantity, left }: TakenBatchPart): MinorUnits {
  return amountOf(cost, left + quantity) - amountOf(cost, left);
}

/** Splits parts in two: the first ones, up to a quantity, and the rest, with what was taken last. */
export function splitParts(
  parts: readonly BatchPart[],
  quantity: number,
): readonly [BatchPart[], BatchPart[]] {
  const [first, rest]: [BatchPart[], BatchPart[]] = [[], []];
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
export function joinParts(parts: readonly BatchPart[], further: readonly BatchPart[]): BatchPart[] {
  const byId = new Map(parts.map((part) => [part.id, part]));
  for (const part of further) {
    byId.set(part.id, { ...part, quantity: part.quantity + (byId.get(part.id)?.quantity ?? 0) });
  }
  return [...byId.values()];
}

/**
 * Finds the newest of the goods; of those that came at once, that of the last line. Undefined if there are
 * none.
 */
export function newest(goods: readonly BatchOrigin[]): BatchOrigin | undefined {
  return newestOf(goods, 1)[0];
}

/** Finds the newest goods, at most `most` of them, the newest first. */
export function newestOf(goods: readonly BatchOrigin[], max: number): BatchOrigin[] {
  const first = goods.toSorted((a, b) => byAge(b, a)).slice(0, max);
  return first.map(({ id, cost, currency, at }) => ({ id, cost, currency, at }));
}

/** Orders goods by when they came; those that came at once, by their lines. */
export function byAge(a: BatchOrigin, b: BatchOrigin): number {
  return a.at - b.at || Math.abs(a.id) - Math.abs(b.id) || a.id - b.id;
}
