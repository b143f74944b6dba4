import { type Change, itemAfter } from '#lib/table/change/change.ts';
import type { Item } from '#lib/table/client.ts';
import {
  getRawItems,
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
  return readThrough(getRawItems, keys);
}

/**
 * Reads a few items, as `getItems`, once no transaction is under way on any of them: what was seen before of
 * one that changes them is not all that is seen of it now. It is for doubts alone: a repetition that may have
 * been made, and what must be there and is not. Twice the units of a read, and a round trip of its own. 503
 * if a transaction never ends.
 */
export function getSettled(keys: readonly Key[]): Promise<(Item | undefined)[]> {
  return readThrough(getSettledItems, keys);
}

/** Reads items as they are in the table, each in its key's place. */
type ReadItems = typeof getRawItems;

async function readThrough(read: ReadItems, keys: readonly (Key | undefined)[]) {
  const sight = newReadView(read);
  for (;;) {
    const items = await read(keys);
    trackLockedItems(items);
    const seen = await visibleItems(items, sight);
    if (seen) return seen;
  }
}

/**
 * A reader's knowledge of the journals it has met: the changes of committed ones to the items it has read.
 */
export interface ReadView {
  /** Reads the headers of journals, and owners of locks, as the items are read. */
  readonly read: ReadItems;
  readonly changes: Map<string, Map<string, Change>>;
  /** The standing locks whose owner has committed. */
  readonly committed: Set<string>;
  /** Journals that were over when they were asked: no item that is read after that bears their lock. */
  readonly over: Set<string>;
}

/** Makes the sight of a reader who has met nothing yet. */
export function newReadView(read: ReadItems = getRawItems): ReadView {
  return { read, changes: new Map(), committed: new Set(), over: new Set() };
}

/**
 * Shows items as every reader must see them, whatever journals have taken them: as they were while a journal
 * is being prepared, as they will be once it is committed. Nothing is written, so a reader needs no right to
 * write. Undefined if the items are to be read again: a journal has ended since they were read, or was found
 * committed. In that case some items may have been read before it took them. A lock of a journal that was
 * over before the items were read is an orphan, a defect: they are shown as they were.
 */
export async function visibleItems(
  items: readonly (Item | undefined)[],
  sight: ReadView,
): Promise<(Item | undefined)[] | undefined> {
  const locks = locksOn(items).filter((lock) => !isOwnLock(lock));
  const outcomes = await Promise.all(
    locks.map((lock) => learn(lock, itemsUnderLock(lock, items).map(keyOfItem), sight)),
  );
  if (outcomes.includes('learnt')) return undefined;
  const orphaned = locks.filter((_, index) => outcomes[index] === 'orphaned');
  if (orphaned.length > 0) {
    process.emitWarning(`Items bear locks of journals that do not exist: ${orphaned.join(', ')}`);
  }
  return items.map((item) => {
    if (item && sight.committed.has(lockOf(item) ?? '')) return asCommitted(item);
    const change = item && sight.changes.get(lockOf(item) ?? '')?.get(addressOf(item));
    return change ? itemAfter(change, item) : withoutLock(item);
  });
}

/**
 * Asks how a journal stands: its items are as they were, or it is committed or over, found just now or
 * before.
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
  // What it has reserved and not written is as it was.
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
