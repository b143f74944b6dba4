import * as z from 'zod';
import { Currency, Money } from '#lib/values/money.ts';
import { Quantity } from '#lib/values/quantity.ts';
import { Timestamp } from '#lib/values/time.ts';

const batchFields = {
  /** The receipt's line. */
  id: z.int(),
  /** What one piece cost. */
  cost: Money,
  currency: Currency,
  /** When the goods came. */
  at: Timestamp,
};

/** Goods that came with one line of a receipt, as far as they are still in a warehouse. Decisions, section 4. */
export const Batch = z.object({ ...batchFields, left: Quantity });

export type Batch = Readonly<z.input<typeof Batch>>;

/** What a document took of a batch: enough to put it back though the batch is gone. */
export const Part = z.object({ ...batchFields, quantity: Quantity });

export type Part = Readonly<z.input<typeof Part>>;

/** A part as it is taken, with what the batch has left without it: what `costOf` is told by. */
export type TakenPart = Part & { readonly left: number };

/** Takes goods of the oldest batches first. Undefined where there are not as many. */
export function takeOldest(batches: readonly Batch[], quantity: number): readonly TakenPart[] | undefined {
  const parts: TakenPart[] = [];
  let wanted = quantity;
  for (const { left, ...batch } of batches) {
    if (wanted === 0) break;
    const taken = Math.min(left, wanted);
    parts.push({ ...batch, quantity: taken, left: left - taken });
    wanted -= taken;
  }
  return wanted === 0 ? parts : undefined;
}

/** The batches without parts that were taken of them. */
export function without(batches: readonly Batch[], parts: readonly Part[]): Batch[] {
  const taken = new Map(parts.map(({ id, quantity }) => [id, quantity]));
  return batches
    .map((batch) => ({ ...batch, left: batch.left - (taken.get(batch.id) ?? 0) }))
    .filter(({ left }) => left > 0);
}

/** The batches with parts put back into those they were taken of, in the order in which the goods first came. */
export function withParts(batches: readonly Batch[], parts: readonly Part[]): Batch[] {
  const held = new Map(batches.map((batch) => [batch.id, batch]));
  for (const { quantity, ...batch } of parts) {
    held.set(batch.id, { ...batch, left: (held.get(batch.id)?.left ?? 0) + quantity });
  }
  return [...held.values()].sort((a, b) => a.at - b.at || a.id - b.id);
}
