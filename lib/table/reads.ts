import { newSight, viewOf } from '#lib/table/transaction/view.ts';
import type { Item } from './client.ts';
import { getRawItems } from './items.ts';
import type { Key } from './keys.ts';

/** Reads the item at a key, as last written. One round trip. */
export async function getItem(key: Key): Promise<Item | undefined> {
  const [item] = await getItems([key]);
  return item;
}

/**
 * Reads the items at the keys, each in its key's place, undefined if there is none; a key may come twice. One
 * round trip for any number, more if a journaled transaction is met.
 */
export async function getItems(keys: readonly (Key | undefined)[]): Promise<(Item | undefined)[]> {
  if (keys.every((key) => key === undefined)) return keys.map(() => undefined);
  const sight = newSight();
  for (;;) {
    const seen = await viewOf(await getRawItems(keys), sight);
    if (seen) return seen;
  }
}
