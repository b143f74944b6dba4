import * as z from 'zod';
import type { Maker } from '#lib/auth/actor.ts';
import { ProductCard } from '#lib/catalog/card.ts';
import { takeOldest } from '#lib/stock/batch.ts';
import type { BatchOrigin } from '#lib/stock/batch-part.ts';
import { withCount } from '#lib/stock/counted.ts';
import type { StockLevel } from '#lib/stock/stock-level.ts';
import { addToStock, takeParts } from '#lib/stock/stock-level-change.ts';
import { partsWithAmounts, WriteOffLine } from '#lib/trade/write-off/record.ts';
import { Currency, Money } from '#lib/values/money.ts';
import { amountOf, Quantity } from '#lib/values/quantity.ts';
import { type Instant, Timestamp } from '#lib/values/time.ts';
import { type Totals, totals } from './totals.ts';

/**
 * A position of a count as callers see it. It is counted once, so its id is that of the balance's row.
 * Contract 9.9.
 */
export const StocktakeLine = z.object({
  id: z.int(),
  stock_product_id: z.int(),
  product_id: z.int(),
  /** What the books say: of a checked line, what they said when it was counted. */
  stock_quantity: Quantity,
  actual_quantity: Quantity.nullable(),
  is_checked: z.boolean(),
  /** Counted less booked. */
  difference: Quantity.nullable(),
  /** What holds keep there: neither booked nor counted. Contract 9.8. */
  held_quantity: Quantity,
  counted_by_id: z.int().nullable(),
  counted_at: Timestamp.nullable(),
  product: ProductCard.nullish(),
});

export type StocktakeLine = z.input<typeof StocktakeLine>;

/** What a count found above the books: it becomes a line of a receipt, and a batch. */
const Surplus = z.object({ batch_id: z.int(), cost: Money, currency: Currency, amount: Money });

/** A position that was counted, as the table holds it: all that its count needs to be completed. */
export const CheckedLine = z.object({
  id: z.int(),
  product_id: z.int(),
  stock_quantity: Quantity,
  actual_quantity: Quantity,
  held_quantity: Quantity,
  surplus: Surplus.optional(),
  /** What was found missing, of the oldest batches, with what it had cost. */
  shortage: WriteOffLine.shape.batches.optional(),
  counted_by_id: z.int(),
  counted_at: Timestamp,
});

export type CheckedLine = Readonly<z.input<typeof CheckedLine>>;

/** What is counted: how many there are, in which count, and who says so. */
interface Counting {
  readonly countId: number;
  readonly actual: number;
  readonly by: Maker;
  readonly at: Instant;
  /** What a surplus costs, and the batch that it becomes. */
  readonly origin: Omit<BatchOrigin, 'at'>;
}

/**
 * Makes the line of a counted position, and the balance as the count will leave it. 400 if there is more than
 * a balance may have. Contract 4; Contract 9.11.
 */
export function newCheckedLine(
  balance: StockLevel,
  { countId, actual, by, at, origin }: Counting,
): { readonly line: CheckedLine; readonly pending: StockLevel } {
  const { id, product_id, quantity, held = 0 } = balance;
  const cause = { document: 'inventory', documentId: countId, lineId: id, at, by } as const;
  const line: CheckedLine = {
    id,
    product_id,
    stock_quantity: quantity,
    actual_quantity: actual,
    held_quantity: held,
    counted_by_id: by.creator_id,
    counted_at: at,
  };
  if (actual === quantity) return { line, pending: withCount(balance, countId, at) };
  if (actual < quantity) {
    const parts = takeOldest(balance.batches, quantity - actual);
    if (!parts) throw new Error(`The batches of balance ${id} do not add up to it`);
    return {
      line: { ...line, shortage: partsWithAmounts(parts) },
      pending: withCount(takeParts(balance, parts, cause), countId, at),
    };
  }
  const part = { ...origin, at, quantity: actual - quantity };
  const { id: batch_id, cost, currency } = origin;
  const surplus = { batch_id, cost, currency, amount: amountOf(cost, part.quantity) };
  return { line: { ...line, surplus }, pending: withCount(addToStock(balance, [part], cause), countId, at) };
}

/** Computes what a checked line adds to its count's totals; zeros for an unchecked one. */
export function totalsOf(line: CheckedLine | undefined): Totals {
  if (!line) return totals(() => 0);
  const { stock_quantity, actual_quantity, surplus, shortage = [] } = line;
  const difference = actual_quantity - stock_quantity;
  const sums: Record<string, number> = {};
  if (surplus) sums[`above_${surplus.currency}`] = surplus.amount;
  for (const { currency, amount } of shortage) {
    sums[`below_${currency}`] = (sums[`below_${currency}`] ?? 0) + amount;
  }
  const own: Record<string, number> = {
    ...sums,
    checked_products_count: 1,
    matched_products_count: difference === 0 ? 1 : 0,
    stock_quantity,
    actual_quantity,
    quantity_diff_above: Math.max(0, difference),
    quantity_diff_below: Math.max(0, -difference),
  };
  return totals((name) => own[name] ?? 0);
}

/** Shows a checked line to callers. */
export function showLine({ surplus: _, shortage: __, ...line }: CheckedLine): StocktakeLine {
  const difference = line.actual_quantity - line.stock_quantity;
  return { ...line, stock_product_id: line.id, is_checked: true, difference };
}

/** Makes a line that nobody has counted yet, with what the books say now. */
export function newUncheckedLine({ id, product_id, quantity, held = 0 }: StockLevel): StocktakeLine {
  return {
    id,
    stock_product_id: id,
    product_id,
    stock_quantity: quantity,
    actual_quantity: null,
    is_checked: false,
    difference: null,
    held_quantity: held,
    counted_by_id: null,
    counted_at: null,
  };
}
