import { setTimeout as pause } from 'node:timers/promises';
import { writeOne } from '#lib/table/change/send.ts';
import { requireTime } from '#lib/table/deadline.ts';
import { getRawItems, itemsBetween, lockOf } from '#lib/table/items.ts';
import type { Key } from '#lib/table/keys.ts';
import { isStanding } from './standing-lock.ts';
import { journalItem, journalPartition, readHeader } from './store.ts';

/** How often the first in a queue looks whether it is their turn. */
const LOOK_MS = 20;

/** How often the second one looks. The third does half as often, and so on: their turn comes later. */
const LATER_LOOK_MS = 60;

/** How long each leaves the way to one before them, who takes the items in less unless they have died. */
const TURN_MS = 240;

/**
 * Waits until the journal that has an item is over, and queues for it: the older go before the younger. Only
 * for a journal that has taken nothing: as nobody waits for it, there is no deadlock. False, without waiting,
 * if nobody is at work on the item: then it is free, or must be healed.
 */
export async function waitForLock(id: string, key: Key): Promise<boolean> {
  let owner = await ownerOf(key);
  if (owner === undefined) return false;
  while (owner !== undefined) {
    await joinWaitQueue(owner, id);
    const place = await placeAtEnd(owner, id);
    owner = await nextOwner(key, place);
  }
  return true;
}

/** Finds the journal that has an item, if its own work is not over. */
async function ownerOf(key: Key): Promise<string | undefined> {
  const [item] = await getRawItems([key]);
  const lock = lockOf(item);
  if (lock === undefined || isStanding(lock)) return undefined;
  return (await isAtWork(lock)) ? lock : undefined;
}

/**
 * Leaves the way to the older ones, and finds which of them has the item: its queue is the next to be joined,
 * before someone younger is the first there. Undefined if it is free as long as they need to take it.
 */
async function nextOwner(key: Key, older: number): Promise<string | undefined> {
  for (let waited = 0; waited < older * TURN_MS; waited += LATER_LOOK_MS) {
    await pause(LATER_LOOK_MS);
    const owner = await ownerOf(key);
    if (owner !== undefined) return owner;
  }
  return undefined;
}

/** Waits until a journal is over; answers with how many of those who waited are older. */
async function placeAtEnd(lock: string, id: string): Promise<number> {
  const place = await waitQueuePosition(lock, id);
  while (await isAtWork(lock)) {
    await pause(place === 0 ? LOOK_MS : LATER_LOOK_MS * place);
    requireTime(true);
  }
  return waitQueuePosition(lock, id);
}

/** Tells whether the owner of a journal still prepares, applies or drops it: then its items are soon free. */
async function isAtWork(id: string): Promise<boolean> {
  const header = await readHeader(id);
  return header !== undefined && !header.isClosed && header.lease > Date.now();
}

/** Puts a journal that waits for another in its queue. */
export async function joinWaitQueue(id: string, waiting: string): Promise<void> {
  await writeOne(journalItem(queueKey(id, waiting), {}));
}

/** Counts those in a journal's queue who are older. */
export async function waitQueuePosition(id: string, waiting: string): Promise<number> {
  const older = await itemsBetween(queueKey(id, ''), queueKey(id, waiting));
  return older.length - 1;
}

function queueKey(id: string, waiting: string): Key {
  return { pk: journalPartition(id), sk: `queue-${waiting}` };
}
