import type { Target } from '#lib/table/change/change.ts';
import { addressOf } from '#lib/table/keys.ts';

/*
 * Between the end of a large transaction and the taking by the next in its queue the items are free. Whoever
 * reads them then meets no lock, and would open a journal in vain: the next takes them first. So it is
 * remembered for a moment which items several have wanted. This decides only who queues at once.
 */

/** How long items stay contested after two were last found to want them. */
const CONTESTED_MS = 2_000;

/** Items that are remembered at most. */
const MOST = 20_000;

const contestedUntil = new Map<string, number>();

/** Remembers that others, too, are at work on items that a large transaction wants. */
export function noteContested(items: readonly Pick<Target, 'key'>[]): void {
  if (contestedUntil.size + items.length > MOST) contestedUntil.clear();
  const until = Date.now() + CONTESTED_MS;
  for (const { key } of items) contestedUntil.set(addressOf(key), until);
}

/** Tells whether others wanted one of the items a moment ago, as far as this process knows. */
export function areContested(items: readonly Pick<Target, 'key'>[]): boolean {
  const now = Date.now();
  return items.some(({ key }) => (contestedUntil.get(addressOf(key)) ?? 0) > now);
}
