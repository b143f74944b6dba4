import * as z from 'zod';
import { changeBetween, type Target, updateOf } from '#lib/table/change/change.ts';
import { update, type Write, type WriteCondition } from '#lib/table/change/write.ts';
import type { Item } from '#lib/table/client.ts';
import { equals } from '#lib/table/expression.ts';
import { getRawItems, LOCK, PENDING, STANDING, withoutLock } from '#lib/table/items.ts';
import { type Key, keyOfItem } from '#lib/table/keys.ts';

/*
 * Standing locks: a transaction that runs for hours while people work, and that one write commits.
 *
 * A stocktake of a warehouse sets thousands of balances at one moment. Each balance is known when its
 * position is counted, long before. So a standing lock is a journal (`journal.ts`) that locks item by item
 * and is long-lived:
 *
 * 1. Open: its owner, an item of the domain (the stocktake document), gets the attribute `standing`,
 *    `preparing`. The lock's name is the address of that item.
 * 2. Lock: one native transaction requires the owner to be `preparing`, the item to be free or already locked
 *    by this owner, and the write's guard (the balance's version as read). It sets the lock, and beside it
 *    `pending`: the whole item after the commit. Without `pending` the item stays unchanged. An item may be
 *    locked again, which replaces `pending`, and may be unlocked.
 * 3. End: one native transaction turns the owner from `preparing` to `committed` or `aborted`, together with
 *    the domain's other writes. It costs the same for any number of locked items.
 * 4. Apply: each item is replaced by its `pending`, or rolled back, under the lock, which the write drops. A
 *    worker does it, and so does a writer that meets such an item before the worker.
 *
 * Why it is correct.
 * - One outcome: the owner changes under its version, natively; `committed` and `aborted` are only reached
 *   from `preparing`. The owner is never removed, so any process that meets the lock can always read it.
 * - No late locks: a lock is atomic with "the owner is `preparing`".
 * - Guards hold at the end: no other writer changes a locked item, since every write requires "no lock", and
 *   the owner writes it only under its lock. So the item is still the one that `pending` was computed from.
 * - Any process may finish: an item contains its own future state, which does not change after the end.
 *   Applying requires the lock, so it happens once.
 * - All or nothing for readers: as for a journal. If the owner is `preparing` or `aborted`, they see the item
 *   without lock and `pending`; if it is `committed`, they see `pending`. A reader that finds it committed
 *   reads everything again, as some items may have been read before they were locked. Closing is not needed:
 *   the lock on an item and the owner together define the state.
 * - No waiting: it has no lease, as a stocktake has no time limit. A writer that meets it fails at once
 *   (`HeldByStandingLock`), reads again, and gets the domain's error: the warehouse is closed. It is never
 *   considered an orphan. Journals never block it for long: they end by themselves, and it waits for them as
 *   any writer does.
 * - Termination: the domain's responsibility. A stocktake closes its warehouse in the transaction that
 *   creates the document, and opens it in the one that ends it, so an open lock always has a document to end.
 */

/** The first word of the lock's name; journal ids begin with a digit. */
const KIND = 'standing';

const Owner = z.object({ [STANDING]: z.enum(['preparing', 'committed', 'aborted']) });

/** The state of a standing lock's owner. */
export type OwnerState = z.output<typeof Owner>[typeof STANDING];

/** Returns the attribute of an owner that holds its state. */
export function ownerState(state: OwnerState): Readonly<Record<typeof STANDING, OwnerState>> {
  return { [STANDING]: state };
}

/** Holds if an owner is still `preparing`. */
export const isOwnerActive = equals(STANDING, 'preparing');

/** Returns the name of the lock whose owner is at a key. */
export function standingLock({ pk, sk }: Key): string {
  return `${KIND} ${pk} ${sk}`;
}

/** Returns true if a lock is a standing lock. */
export function isStanding(lock: string): boolean {
  return lock.startsWith(`${KIND} `);
}

/** Reads the state of a standing lock's owner. Undefined if the owner is missing, which is a defect. */
export async function ownerStateOf(lock: string, read = getRawItems): Promise<OwnerState | undefined> {
  const [, pk = '', sk = ''] = lock.split(' ');
  const [owner] = await read([{ pk, sk }]);
  return Owner.safeParse(owner).data?.[STANDING];
}

/**
 * Builds the write that locks an item, or locks it again. `pending` is the item after a commit, undefined if
 * it stays unchanged. The write belongs in a transaction that requires the owner to be `isOwnerActive`.
 */
export function standingLockWrite(
  lock: string,
  key: Key,
  pending: Item | undefined,
  guard: WriteCondition,
): Write {
  const changes = pending
    ? { set: { [LOCK]: lock, [PENDING]: pending } }
    : { set: { [LOCK]: lock }, unset: [PENDING] };
  return { ...update(key, changes, guard), under: lock };
}

/**
 * Builds the write that unlocks an item unchanged. It belongs in a transaction that requires the owner to be
 * `isOwnerActive`.
 */
export function standingUnlockWrite(lock: string, key: Key): Write {
  return { key, change: RESTORED, guard: { if: equals(LOCK, lock) }, under: lock };
}

/** Returns an item after its owner's commit. */
export function asCommitted(item: Item): Item | undefined {
  const pending = item[PENDING];
  if (!isItem(pending)) return withoutLock(item);
  return { ...pending, ...keyOfItem(item) };
}

/** Builds the change that ends a locked item according to its owner's outcome. */
export function targetAtEnd(item: Item, state: Exclude<OwnerState, 'preparing'>): Target {
  const key = keyOfItem(item);
  const pending = item[PENDING];
  if (state !== 'committed' || !isItem(pending)) return { key, change: RESTORED };
  return { key, change: changeBetween(item, pending) };
}

const RESTORED = updateOf({ unset: [LOCK, PENDING] });

function isItem(value: unknown): value is Item {
  return typeof value === 'object' && value !== null;
}
