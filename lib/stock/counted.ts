import type { Instant } from '#lib/values/time.ts';
import { secondOf } from '#lib/values/value-history.ts';
import type { StockLevel } from './stock-level.ts';

/*
 * Stocktakes that included a stock level, for offline sales made before a stocktake and uploaded after it,
 * whose goods the stocktake has already deducted. Stored with the stock level: such a sale needs no extra
 * read, and misses no stocktake completed concurrently, because that changes the stock level's version. Part
 * 4, 4.4, 6.
 */

/**
 * Limit of stored stocktakes: one a day over the longest upload delay of an offline sale, half a kilobyte.
 */
const MAX_COUNTS = 31;

/** Adds a completed stocktake to a stock level, and increments its version. */
export function withCount(balance: StockLevel, id: number, counted_at: Instant): StockLevel {
  const newest: [number, Instant] = [id, counted_at];
  const counts = [newest, ...(balance.counts ?? [])].slice(0, MAX_COUNTS);
  return { ...balance, counts, version: balance.version + 1 };
}

/** Finds the first stocktake counted after the goods were sold; null if there is none. */
export function firstCountSince(
  balance: Pick<StockLevel, 'counts'> | undefined,
  sold_at: Instant,
): number | null {
  const since = balance?.counts?.filter(([, counted_at]) => secondOf(sold_at) < secondOf(counted_at));
  return since?.at(-1)?.[0] ?? null;
}
