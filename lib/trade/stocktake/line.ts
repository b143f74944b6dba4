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
 * Published position of a stocktake. A product has one position, so its id is that of the stock level's row.
 * Contract 9.9.
 */
export const StocktakeLine = z.object({
  id: z.int(),
  stock_product_id: z.int(),
  product_id: z.int(),
  /** Book quantity; of a checked line, as of its counting. */
  stock_quantity: Quantity,
  actual_quantity: Quantity.nullable(),
  is_checked: z.boolean(),
  /** Counted less book quantity. */
  difference: Quantity.nullable(),
  /** Quantity on hold: neither in the books nor counted. Contract 9.8. */
  held_quantity: Quantity,
  counted_by_id: z.int().nullable(),
  counted_at: Timestamp.nullable(),
  product: ProductCard.nullish(),
});

export type StocktakeLine = z.input<typeof StocktakeLine>;

/** Counted surplus over the books: a future goods-receipt line and its batch. */
const Surplus = z.object({ batch_id: z.int(), cost: Money, currency: Currency, amount: Money });

/** Stored line of a counted position, with all data needed to complete its stocktake. */
export const CheckedLine = z.object({
  id: z.int(),
  product_id: z.int(),
  stock_quantity: Quantity,
  actual_quantity: Quantity,
  held_quantity: Quantity,
  surplus: Surplus.optional(),
  /** Missing goods, taken from the oldest batches, with their cost. */
  shortage: WriteOffLine.shape.batches.optional(),
  counted_by_id: z.int(),
  counted_at: Timestamp,
});

export type CheckedLine = Readonly<z.input<typeof CheckedLine>>;

/** Count of a position: quantity, stocktake, user and time. */
interface Counting {
  readonly countId: number;
  readonly actual: number;
  readonly by: Maker;
  readonly at: Instant;
  /** Cost of a surplus, and the id of its batch. */
  readonly origin: Omit<BatchOrigin, 'at'>;
}

/**
 * Builds the line of a counted position, and its stock level after the stocktake. 400 over the limit of a
 * stock level. Contract 4; Contract 9.11.
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

/** Computes a line's share of its stocktake's totals; zeros for an unchecked one. */
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

/** Returns the published form of a checked line. */
export function showLine({ surplus: _, shortage: __, ...line }: CheckedLine): StocktakeLine {
  const difference = line.actual_quantity - line.stock_quantity;
  return { ...line, stock_product_id: line.id, is_checked: true, difference };
}

/** Builds an unchecked line, with the present book quantity. */
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
