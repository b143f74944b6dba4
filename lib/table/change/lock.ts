import type { Item } from '#lib/table/client.ts';
import { absent, type Expression } from '#lib/table/expression.ts';
import { getRawItems } from '#lib/table/items.ts';
import type { Key } from '#lib/table/keys.ts';

/** The attribute with the id of the journal that has taken an item. */
export const LOCK = 'journal';

/** The attribute with what an item will be if the owner of its standing lock commits (`standing.ts`). */
export const PENDING = 'pending';

/** The attribute in which an owner of standing locks says how it stands. */
export const STANDING = 'standing';

/** Holds if no journal has taken the item. Every write to the table requires it. */
export const unlocked: Expression = absent(LOCK);

/** Names the journal that has taken an item. */
export function lockOf(item: Item | undefined): string | undefined {
  const lock = item?.[LOCK];
  return typeof lock === 'string' ? lock : undefined;
}

/** Names the journals that have taken any of the items, each once. */
export function locksOn(items: readonly (Item | undefined)[]): string[] {
  return [...new Set(items.flatMap((item) => lockOf(item) ?? []))];
}

/** Picks those of the items that bear a lock. */
export function pickLocked(lock: string, items: readonly (Item | undefined)[]): Item[] {
  return items.filter((item) => item !== undefined).filter((item) => lockOf(item) === lock);
}

/** Reads those of the items at some keys that bear a lock. */
export async function readLockedBy(lock: string, keys: readonly Key[]): Promise<Item[]> {
  return pickLocked(lock, await getRawItems(keys));
}

/** Gives an item as it was before it was taken; undefined if it was only made to bear the lock. */
export function withoutLock(item: Item | undefined): Item | undefined {
  if (lockOf(item) === undefined) return item;
  return isPlaceholder(item) ? undefined : { ...item, [LOCK]: undefined, [PENDING]: undefined };
}

/** Tells whether an item did not exist before it was taken: it has only its key and the lock. */
export function isPlaceholder(item: Item | undefined): boolean {
  return (
    item !== undefined && Object.keys(item).every((name) => name === 'pk' || name === 'sk' || name === LOCK)
  );
}
