import * as z from 'zod';
import { Cost } from '#lib/values/cost.ts';
import { Currency, type MinorUnits } from '#lib/values/money.ts';
import { amountOf, Quantity } from '#lib/values/quantity.ts';
import { Timestamp } from '#lib/values/time.ts';

/*
 * Ids of batches. A receipt's line gives its id to its goods at the cost that the line shows. Goods of the
 * line that come back at another cost, because it was corrected in between, lie beside them under a further
 * id, and merged goods under one of their own: both are below zero, and their remainder by 2^40 is the line.
 * A line has at most a thousand costs, and a product's merged goods of one line at most eight. Part 5, 5A.4,
 * 2.
 */
const FURTHER = { step: 2 ** 40, most: 1023 };
const MERGED = { step: 2 ** 50, most: 7 };

/** Returns the line whose goods a batch has; of a merged batch, the oldest. */
export function lineOfBatch(id: number): number {
  return Math.abs(id) % FURTHER.step;
}

/** Checks whether a batch has goods of one line only, at whatever cost. */
export function isOfLine(id: number, line: number): boolean {
  return lineOfBatch(id) === line && !isMerged(id);
}

function isMerged(id: number): boolean {
  return id < 0 && Math.abs(id) % MERGED.step < FURTHER.step;
}

/** Returns the id under which goods lie among others: their own, unless goods at another cost have it. */
export function idAmong(goods: BatchOrigin, others: ReadonlyMap<number, BatchOrigin>): number {
  const isFree = (id: number) => {
    const other = others.get(id);
    return !other || (other.cost === goods.cost && other.currency === goods.currency);
  };
  if (isFree(goods.id)) return goods.id;
  const { step, most } = isMerged(goods.id) ? MERGED : FURTHER;
  for (let rank = 1; rank <= most; rank++) {
    const id = -(lineOfBatch(goods.id) + rank * step);
    if (isFree(id)) return id;
  }
  throw new Error(`Goods of line ${lineOfBatch(goods.id)} have too many costs`);
}

/** Origin and cost of goods, as stored. */
export const BatchOrigin = z.object({
  /** Id of the goods-receipt line; below zero for merged goods, and for goods at a former cost. */
  id: z.int(),
  /** Cost of one piece. */
  cost: Cost,
  currency: Currency,
  /** Time of receipt. */
  at: Timestamp,
  /** Absent for receipts without one, and for those completed before it was stored. Part 5, 5A.10, 1. */
  supplier_id: z.int().optional(),
});

export type BatchOrigin = Readonly<z.input<typeof BatchOrigin>>;

/**
 * A document line's share of a batch, sufficient to restore the batch after it is exhausted. The supplier is
 * stored with it, too, but not shown.
 */
export const BatchPart = BatchOrigin.omit({ supplier_id: true }).extend({ quantity: Quantity });

export type BatchPart = Readonly<z.input<typeof BatchPart>> & Pick<BatchOrigin, 'supplier_id'>;

/** Part as taken, with the batch's remaining quantity, needed to compute its value. */
export type TakenBatchPart = BatchPart & { readonly left: number };

/** Strips `left`, which a document's line does not store. */
export function bareParts(parts: readonly TakenBatchPart[]): BatchPart[] {
  return parts.map(({ left: _, ...part }) => part);
}

/** Computes the value of a part in the batch's currency, so that the parts of a batch add up to its value. */
export function batchPartValue({ cost, quantity, left }: TakenBatchPart): MinorUnits {
  return amountOf(cost, left + quantity) - amountOf(cost, left);
}

/** Splits parts at a quantity: the first ones up to it, then the rest. */
export function splitParts(
  parts: readonly BatchPart[],
  quantity: number,
): readonly [BatchPart[], BatchPart[]] {
  const [first, rest]: [BatchPart[], BatchPart[]] = [[], []];
  let remaining = quantity;
  for (const part of parts) {
    const taken = Math.min(part.quantity, remaining);
    remaining -= taken;
    if (taken > 0) first.push({ ...part, quantity: taken });
    if (taken < part.quantity) rest.push({ ...part, quantity: part.quantity - taken });
  }
  return [first, rest];
}

/**
 * Joins two lists of parts, each batch once. Goods of a line at two costs may have had the same id, one after
 * the other: they stay two parts. Part 5, 5A.4, 2.
 */
export function joinParts(parts: readonly BatchPart[], further: readonly BatchPart[]): BatchPart[] {
  const nameOf = ({ id, cost, currency }: BatchPart) => `${id} ${cost} ${currency}`;
  const joined = new Map(parts.map((part) => [nameOf(part), part]));
  for (const part of further) {
    const name = nameOf(part);
    joined.set(name, { ...part, quantity: part.quantity + (joined.get(name)?.quantity ?? 0) });
  }
  return [...joined.values()];
}

/**
 * Returns the newest of the goods, among equally old ones that of the last line; undefined if there are none.
 */
export function newest(goods: readonly BatchOrigin[]): BatchOrigin | undefined {
  return newestOf(goods, 1)[0];
}

/** Returns at most `max` of the newest goods, newest first. */
export function newestOf(goods: readonly BatchOrigin[], max: number): BatchOrigin[] {
  const first = goods.toSorted((a, b) => byAge(b, a)).slice(0, max);
  return first.map(originOf);
}

/** Returns the origin of goods without their quantity. */
export function originOf({ id, cost, currency, at, supplier_id }: BatchOrigin): BatchOrigin {
  return { id, cost, currency, at, ...(supplier_id !== undefined && { supplier_id }) };
}

/** Compares goods by time of receipt, then by line; those at the line's own cost are the newest of a line. */
export function byAge(a: BatchOrigin, b: BatchOrigin): number {
  return a.at - b.at || lineOfBatch(a.id) - lineOfBatch(b.id) || a.id - b.id;
}
