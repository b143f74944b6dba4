import type { Target } from '#lib/table/change/change.ts';
import { addressOf } from '#lib/table/keys.ts';

/*
 * Between the end of a large transaction and the locking by the next in its queue the items are free. A
 * reader then sees no lock, and would open a journal in vain: the next in the queue locks them first. So each
 * process remembers contested items for a moment. This decides only whether to join the queue at once.
 */

/** How long items stay contested after the last contention on them. */
const CONTESTED_MS = 2_000;

/** Maximum number of remembered items. */
const MAX_ITEMS = 20_000;

const contestedUntil = new Map<string, number>();

/** Marks items of a large transaction as contested. */
export function noteContested(items: readonly Pick<Target, 'key'>[]): void {
  if (contestedUntil.size + items.length > MAX_ITEMS) contestedUntil.clear();
  const until = Date.now() + CONTESTED_MS;
  for (const { key } of items) contestedUntil.set(addressOf(key), until);
}

/** Returns true if one of the items was contested a moment ago, as far as this process knows. */
export function areContested(items: readonly Pick<Target, 'key'>[]): boolean {
  const now = Date.now();
  return items.some(({ key }) => (contestedUntil.get(addressOf(key)) ?? 0) > now);
}
