import type { Instant } from '#lib/values/time.ts';
import { secondOf } from '#lib/values/value-history.ts';
import type { StockLevel } from './stock-level.ts';

/*
 * Which counts a balance was in, for a sale that was sold before one and comes after it: the count took its
 * goods off already. They stand with the balance, so that such a sale reads nothing more, and none that is
 * completed meanwhile is missed: it changes the balance's version. Part 4, 4.4, 6.
 */

/** Counts that a balance keeps: one a day for as long as a sale may be late, half a kilobyte. */
const MAX_COUNTS = 31;

/** Adds a completed count to those of a balance, which is no longer as it was read. */
export function withCount(balance: StockLevel, id: number, counted_at: Instant): StockLevel {
  const newest: [number, Instant] = [id, counted_at];
  const counts = [newest, ...(balance.counts ?? [])].slice(0, MAX_COUNTS);
  return { ...balance, counts, version: balance.version + 1 };
}

/** Finds the first count of a balance before whose counting goods went out; null if there is none. */
export function firstCountSince(
  balance: Pick<StockLevel, 'counts'> | undefined,
  sold_at: Instant,
): number | null {
  const since = balance?.counts?.filter(([, counted_at]) => secondOf(sold_at) < secondOf(counted_at));
  return since?.at(-1)?.[0] ?? null;
}
