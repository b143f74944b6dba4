import { roundHalfUp } from '#lib/values/money.ts';
import type { Units } from '#lib/values/quantity.ts';

/** Decimals of stored quantities. */
const MAX_DIGITS = 8;

/** Stock of a product and its sales, in stored units. */
export interface Supply {
  /** In stock, without goods on hold. */
  readonly free: bigint;
  /** On its way. */
  readonly coming: bigint;
  /** Sold in `days` days, less returned; below zero if more came back. */
  readonly sold: bigint;
  readonly min: Units | null;
}

/** Days of sales that are looked at, and days to order for. */
export interface Horizon {
  readonly days: number;
  readonly cover_days: number;
}

/**
 * Computes for how many days the free goods last at the speed of sales, to one decimal, half up; null if
 * nothing was sold. Part 5, 5A.10, 1.
 */
export function daysLeft({ free, sold }: Supply, { days }: Horizon): number | null {
  return sold > 0n ? Number(roundHalfUp(free * BigInt(days) * 10n, sold)) / 10 : null;
}

/**
 * Computes the quantity to order: the minimum and the sales of the days to cover, less free and coming
 * goods; rounded up to the accuracy of the unit, never below zero. Part 5, 5A.10, 1.
 */
export function orderQuantity(
  { free, coming, sold, min }: Supply,
  { days, cover_days }: Horizon,
  accuracy: number,
): bigint {
  // Times `days`, so that nothing is rounded before the end.
  const needed = (BigInt(min ?? 0) - free - coming) * BigInt(days) + sold * BigInt(cover_days);
  if (needed <= 0n) return 0n;
  const step = 10n ** BigInt(MAX_DIGITS - accuracy);
  const divisor = BigInt(days) * step;
  return ((needed + divisor - 1n) / divisor) * step;
}
