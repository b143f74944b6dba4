import { setTimeout as pause } from 'node:timers/promises';
import { writeOne } from '#lib/table/change/send.ts';
import { requireTime } from '#lib/table/deadline.ts';
import { getRawItems, itemsBetween, lockOf } from '#lib/table/items.ts';
import type { Key } from '#lib/table/keys.ts';
import { isStanding } from './standing.ts';
import { journalItem, journalPartition, readHeader } from './store.ts';

/** How often the first in a queue looks whether it is their turn; the second looks half as often. */
const LOOK_MS = 20;

/** How long each leaves the way to the one before them: a little longer than it takes to take the items. */
const TURN_MS = 100;

/**
 * Waits until the journal that has an item is over, and queues for it: the older go before the younger. Only
 * for a journal that has taken nothing: as nobody waits for it, there is no deadlock. False, without waiting,
 * if nobody is at work on the item: then it is free, or must be healed.
 */
export async function awaitTurn(id: string, key: Key): Promise<boolean> {
  for (let waits = 0; ; waits++) {
    const [item] = await getRawItems([key]);
    const lock = lockOf(item);
    if (lock === undefined || isStanding(lock) || !(await isAtWork(lock))) return waits > 0;
    await joinQueue(lock, id);
    const place = await placeAtEnd(lock, id);
    if (place === 0) return true;
    await pause(TURN_MS * place);
  }
}

/** Waits until a journal is over; answers with how many of those who waited are older. */
async function placeAtEnd(lock: string, id: string): Promise<number> {
  for (;;) {
    const [isOwned, place] = await Promise.all([isAtWork(lock), placeInQueue(lock, id)]);
    if (!isOwned) return place;
    await pause(LOOK_MS * (place + 1));
    requireTime(true);
  }
}

/** Tells whether the owner of a journal still prepares, applies or drops it: then its items are soon free. */
async function isAtWork(id: string): Promise<boolean> {
  const header = await readHeader(id);
  return header !== undefined && !header.isClosed && header.lease > Date.now();
}

/** Puts a journal that waits for another in its queue. */
export async function joinQueue(id: string, waiting: string): Promise<void> {
  await writeOne(journalItem(queueKey(id, waiting), {}));
}

/** Counts those in a journal's queue who are older. */
export async function placeInQueue(id: string, waiting: string): Promise<number> {
  const older = await itemsBetween(queueKey(id, ''), queueKey(id, waiting));
  return older.length - 1;
}

function queueKey(id: string, waiting: string): Key {
  return { pk: journalPartition(id), sk: `queue-${waiting}` };
}
