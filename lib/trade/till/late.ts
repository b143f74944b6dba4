import type { SaleInput } from '#lib/trade/sale/input.ts';
import type { Problems } from '#lib/values/problems.ts';
import type { Instant } from '#lib/values/time.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** How late a sale may arrive, and how fast a till's clock may be. Part 4, 4.4, 2. */
const MOST_LATE_MS = 31 * DAY_MS;
const MOST_AHEAD_MS = 5 * MINUTE_MS;

/** Checks that a late sale is from neither too long ago, as it first arrived, nor the future. */
export function checkSoldAt(
  { sold_at }: Pick<SaleInput, 'sold_at'>,
  { at, arrived_at = at }: { readonly at: Instant; readonly arrived_at?: Instant | undefined },
  problems: Problems,
): void {
  if (sold_at === null) return;
  const isTooOld = sold_at < arrived_at - MOST_LATE_MS;
  if (isTooOld || sold_at > at + MOST_AHEAD_MS) problems.add('sold_at', 'sale.sold_at');
}
