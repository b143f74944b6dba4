import { setTimeout as pause } from 'node:timers/promises';
import { writeOne } from '#lib/table/change/send.ts';
import { requireTimeToTheEnd } from '#lib/table/deadline.ts';
import { getRawItems, itemsBetween, lockOf } from '#lib/table/items.ts';
import type { Key } from '#lib/table/keys.ts';
import { isStanding } from './standing-lock.ts';
import { journalItem, journalPartition, readHeader } from './store.ts';

/** Poll interval of the first in a queue. */
const LOOK_MS = 20;

/** Poll interval of the second. The third polls half as often, and so on. */
const LATER_LOOK_MS = 60;

/** Head start of each older waiter, which locks the items in less time unless it has died. */
const TURN_MS = 240;

/**
 * Waits in a queue until the journal that holds an item has ended: the oldest goes first. Only for a journal
 * without locks: no other journal waits for it, so a deadlock is impossible. Returns false at once if the
 * item has no active holder: then it is free, or must be recovered.
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

/** Returns the journal that holds an item, if it is still active. */
async function ownerOf(key: Key): Promise<string | undefined> {
  const [item] = await getRawItems([key]);
  const lock = lockOf(item);
  if (lock === undefined || isStanding(lock)) return undefined;
  return (await isAtWork(lock)) ? lock : undefined;
}

/**
 * Gives the older waiters their head start, and returns the one that has locked the item: its queue is the
 * next to join, before a younger waiter becomes the first there. Undefined if the item stays free during the
 * head start.
 */
async function nextOwner(key: Key, older: number): Promise<string | undefined> {
  for (let waited = 0; waited < older * TURN_MS; waited += LATER_LOOK_MS) {
    await pause(LATER_LOOK_MS);
    const owner = await ownerOf(key);
    if (owner !== undefined) return owner;
  }
  return undefined;
}

/** Waits until a journal has ended; returns the number of older waiters. */
async function placeAtEnd(lock: string, id: string): Promise<number> {
  const place = await waitQueuePosition(lock, id);
  while (await isAtWork(lock)) {
    await pause(place === 0 ? LOOK_MS : LATER_LOOK_MS * place);
    requireTimeToTheEnd();
  }
  return waitQueuePosition(lock, id);
}

/** Returns true while the owner of a journal prepares, applies or aborts it: its items are free soon. */
async function isAtWork(id: string): Promise<boolean> {
  const header = await readHeader(id);
  return header !== undefined && !header.isClosed && header.lease > Date.now();
}

/** Adds a waiting journal to another journal's queue. */
export async function joinWaitQueue(id: string, waiting: string): Promise<void> {
  await writeOne(journalItem(queueKey(id, waiting), {}));
}

/** Counts the older waiters in a journal's queue. */
export async function waitQueuePosition(id: string, waiting: string): Promise<number> {
  const older = await itemsBetween(queueKey(id, ''), queueKey(id, waiting));
  return older.length - 1;
}

function queueKey(id: string, waiting: string): Key {
  return { pk: journalPartition(id), sk: `queue-${waiting}` };
}
