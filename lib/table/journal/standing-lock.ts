import * as z from 'zod';
import { changeBetween, type Target, updateOf } from '#lib/table/change/change.ts';
import { update, type Write, type WriteCondition } from '#lib/table/change/write.ts';
import type { Item } from '#lib/table/client.ts';
import { equals } from '#lib/table/expression.ts';
import { getRawItems, LOCK, PENDING, STANDING, withoutLock } from '#lib/table/items.ts';
import { type Key, keyOfItem } from '#lib/table/keys.ts';

/*
 * Standing locks: a transaction that people work on for hours, and that one write commits.
 *
 * A count of a warehouse sets thousands of balances at one moment. What each becomes is known when its
 * position is counted, long before. So it is a journal (`journal.ts`) that is taken piece by piece and stays:
 *
 * 1. open    its owner, an item of the domain (the count's document), gets the attribute `state`,
 *            `preparing`. The lock's name is the address of that item.
 * 2. take    an item: one native transaction requires the owner to be `preparing`, the item to be free or its
 *            own, and the taker's guard (the balance's version as read). It sets the lock, and beside it
 *            `pending`: the whole item as it will be. Without `pending` it stays as it is. An item may be
 *            taken anew, which replaces `pending`, and may be given back.
 * 3. end     one native transaction turns the owner from `preparing` to `committed` or `aborted`, beside the
 *            domain's other writes. It costs the same however many items are taken.
 * 4. apply   each item becomes its `pending`, or what it was, under the lock, which the write drops. A worker
 *            does it, and so does whoever wants to write such an item before the worker has come to it.
 *
 * Why it is right.
 * - One outcome: the owner changes under its version, natively; `committed` and `aborted` are only reached
 *   from `preparing`. The owner is never removed, so everyone who meets the lock can ask it, for ever.
 * - Nothing is taken late: a take is atomic with "the owner is `preparing`".
 * - Guards hold at the end: nobody else changes a taken item, since every write requires "no lock", and the
 *   owner does so only with its lock. So the item is still what `pending` was computed from.
 * - Anyone may finish: an item holds its own future, which does not change after the end. To apply requires
 *   the lock, so it happens once.
 * - All or nothing for readers: as for a journal. If the owner is `preparing` or `aborted`, they see the item
 *   without lock and `pending`; if it is `committed`, they see `pending`. A reader who finds it committed
 *   reads everything anew, as some items may have been read before they were taken. There is nothing to
 *   close: the lock on an item and the owner together tell everything.
 * - Nobody waits: it has no lease, as it lasts as long as people count. A writer who meets it gives up at
 *   once (`HeldByStandingLock`), reads again, and is told by the domain why it may not: the warehouse is
 *   closed. It is never taken for an orphan. Journals never hold it up for long: they end by themselves, and
 *   it waits for them as any writer does.
 * - It ends: that is the domain's part. A count closes its warehouse in the transaction that makes the
 *   document, and opens it in the one that ends it, so there is always a document to end.
 */

/** The first word of such a lock's name; names of journals begin with a digit. */
const KIND = 'standing';

const Owner = z.object({ [STANDING]: z.enum(['preparing', 'committed', 'aborted']) });

/** The state of a standing lock's owner. */
export type OwnerState = z.output<typeof Owner>[typeof STANDING];

/** Makes the part of an owner's item that holds its state. */
export function ownerState(state: OwnerState): Readonly<Record<typeof STANDING, OwnerState>> {
  return { [STANDING]: state };
}

/** Holds if an owner is still at work. */
export const isOwnerActive = equals(STANDING, 'preparing');

/** Names the lock whose owner is at a key. */
export function standingLock({ pk, sk }: Key): string {
  return `${KIND} ${pk} ${sk}`;
}

/** Tells whether a lock is of this kind. */
export function isStanding(lock: string): boolean {
  return lock.startsWith(`${KIND} `);
}

/** Asks the owner of a standing lock how it stands. Undefined if there is none, which is a defect. */
export async function ownerStateOf(lock: string, read = getRawItems): Promise<OwnerState | undefined> {
  const [, pk = '', sk = ''] = lock.split(' ');
  const [owner] = await read([{ pk, sk }]);
  return Owner.safeParse(owner).data?.[STANDING];
}

/**
 * Builds the write that takes an item, or takes it anew. `pending` is the item if the owner commits,
 * undefined if it stays as it is. The write belongs in a transaction that requires the owner to be
 * `isOwnerActive`.
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
 * Builds the write that gives an item back as it was. It belongs in a transaction that requires the owner to
 * be `isOwnerActive`.
 */
export function standingUnlockWrite(lock: string, key: Key): Write {
  return { key, change: RESTORED, guard: { if: equals(LOCK, lock) }, under: lock };
}

/** Gives an item as a committed owner makes it. */
export function asCommitted(item: Item): Item | undefined {
  const pending = item[PENDING];
  if (!isItem(pending)) return withoutLock(item);
  return { ...pending, ...keyOfItem(item) };
}

/** Builds the change that ends an item that was read with the lock, as its owner ended. */
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
