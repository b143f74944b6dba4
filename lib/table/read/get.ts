import { type Change, itemAfter } from '#lib/table/change/change.ts';
import type { Item } from '#lib/table/client.ts';
import {
  getRawItems,
  getRawItemsEventually,
  getSettledItems,
  itemsUnderLock,
  lockOf,
  locksOn,
  withoutLock,
} from '#lib/table/items.ts';
import { asCommitted, isStanding, ownerStateOf } from '#lib/table/journal/standing-lock.ts';
import { readChangesOf, readHeader } from '#lib/table/journal/store.ts';
import { addressOf, type Key, keyOfItem } from '#lib/table/keys.ts';
import { isOwnLock, trackLockedItems, trackMetJournal } from '#lib/table/retries.ts';

/** Reads the item at a key, strongly consistent. One round trip. */
export async function getItem(key: Key): Promise<Item | undefined> {
  const [item] = await getItems([key]);
  return item;
}

/**
 * Reads the items at the keys, in the order of the keys, undefined for a missing one; a key may occur twice.
 * One round trip for any number, more if an item bears a journal's lock.
 */
export async function getItems(keys: readonly (Key | undefined)[]): Promise<(Item | undefined)[]> {
  if (keys.every((key) => key === undefined)) return keys.map(() => undefined);
  return readThrough(getRawItems, keys);
}

/**
 * Reads items at half the units, without the writes of the last moment: for searches by a code that people
 * make, of distinct keys. One round trip, two if an item bears a journal's lock.
 */
export async function getEventualItems(keys: readonly (Key | undefined)[]): Promise<(Item | undefined)[]> {
  const items = await getRawItemsEventually(keys);
  return locksOn(items).length > 0 ? getItems(keys) : items;
}

/**
 * Reads a few items like `getItems`, but with no transaction in progress on any of them: if one change of a
 * transaction has been seen, all of them are visible now. Only for cases of doubt: a retried request that may
 * have been executed, or an item missing against expectation. Twice the units of a read, and a round trip of
 * its own. 503 if a transaction does not end.
 */
export function getSettled(keys: readonly Key[]): Promise<(Item | undefined)[]> {
  return readThrough(getSettledItems, keys);
}

/** Reads stored items, in the order of the keys. */
type ReadItems = typeof getRawItems;

async function readThrough(read: ReadItems, keys: readonly (Key | undefined)[]) {
  const view = newReadView(read);
  for (;;) {
    const items = await read(keys);
    trackLockedItems(items);
    const seen = await visibleItems(items, view);
    if (seen) return seen;
  }
}

/** A reader's view of the journals that it has met: committed changes of the items that it has read. */
export interface ReadView {
  /** Reads the headers of journals, and owners of locks, in the same way as the items. */
  readonly read: ReadItems;
  readonly changes: Map<string, Map<string, Change>>;
  /** The standing locks with a committed owner. */
  readonly committed: Set<string>;
  /** Journals found to have ended: no item read after that bears their lock. */
  readonly over: Set<string>;
}

/** Returns an empty view for a new reader. */
export function newReadView(read: ReadItems = getRawItems): ReadView {
  return { read, changes: new Map(), committed: new Set(), over: new Set() };
}

/**
 * Returns items in the state visible to every reader: for locked ones, the previous state while the journal
 * is being prepared, the new one once it is committed. Writes nothing, so a reader needs no permission to
 * write. Undefined if the items must be read again: a journal has ended since, or was found committed. In
 * that case some items may have been read before it locked them. A lock of a journal that had ended before
 * the items were read is an orphan, a defect: such items are returned in their previous state.
 */
export async function visibleItems(
  items: readonly (Item | undefined)[],
  view: ReadView,
): Promise<(Item | undefined)[] | undefined> {
  const locks = locksOn(items).filter((lock) => !isOwnLock(lock));
  const outcomes = await Promise.all(
    locks.map((lock) => learn(lock, itemsUnderLock(lock, items).map(keyOfItem), view)),
  );
  if (outcomes.includes('learnt')) return undefined;
  const orphaned = locks.filter((_, index) => outcomes[index] === 'orphaned');
  if (orphaned.length > 0) {
    process.emitWarning(`Items bear locks of journals that do not exist: ${orphaned.join(', ')}`);
  }
  return items.map((item) => {
    if (item && view.committed.has(lockOf(item) ?? '')) return asCommitted(item);
    const change = item && view.changes.get(lockOf(item) ?? '')?.get(addressOf(item));
    return change ? itemAfter(change, item) : withoutLock(item);
  });
}

/**
 * Reads a journal's state: `learnt` if it was just found committed or ended, `known` if it had been found
 * committed.
 */
async function learn(
  id: string,
  keys: readonly Key[],
  { read, changes, committed, over }: ReadView,
): Promise<'preparing' | 'learnt' | 'known' | 'orphaned'> {
  if (isStanding(id)) return learnStanding(id, { read, committed });
  if (over.has(id)) return 'orphaned';
  const known = changes.get(id);
  if (known && keys.every((key) => known.has(addressOf(key)))) return 'known';
  const header = await readHeader(id, read);
  if (!header || header.isClosed) {
    over.add(id);
    return 'learnt';
  }
  trackMetJournal();
  if (header.state !== 'committed') return 'preparing';
  const found = await readChangesOf(id, header, keys);
  // Items that it locked and did not write are unchanged.
  const news = keys.map((key): [string, Change] => {
    const address = addressOf(key);
    return [address, found.get(address) ?? { kind: 'check' }];
  });
  changes.set(id, new Map([...(known ?? []), ...news]));
  return 'learnt';
}

async function learnStanding(lock: string, { read, committed }: Pick<ReadView, 'read' | 'committed'>) {
  if (committed.has(lock)) return 'known';
  if ((await ownerStateOf(lock, read)) !== 'committed') return 'preparing';
  committed.add(lock);
  return 'learnt';
}
