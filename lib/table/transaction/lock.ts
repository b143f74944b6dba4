import type { Item } from '#lib/table/client.ts';
import { absent, type Expression } from '#lib/table/expression.ts';

/** The attribute that names the journal which has taken an item. */
export const LOCK = 'journal';

/** No journal has taken the item. Every write to the table requires it. */
export const unlocked: Expression = absent(LOCK);

/** The journal that has taken an item. */
export function lockOf(item: Item | undefined): string | undefined {
  const lock = item?.[LOCK];
  return typeof lock === 'string' ? lock : undefined;
}

/** The journals that have taken any of the items, each once. */
export function locksOn(items: readonly (Item | undefined)[]): string[] {
  return [...new Set(items.flatMap((item) => lockOf(item) ?? []))];
}

/** An item as it was before it was taken: undefined for one which was only made to bear the lock. */
export function withoutLock(item: Item | undefined): Item | undefined {
  if (lockOf(item) === undefined) return item;
  return isPlaceholder(item) ? undefined : { ...item, [LOCK]: undefined };
}

/** Tells an item that was not there before it was taken: it has nothing but its key and the lock. */
export function isPlaceholder(item: Item | undefined): boolean {
  return (
    item !== undefined && Object.keys(item).every((name) => name === 'pk' || name === 'sk' || name === LOCK)
  );
}
