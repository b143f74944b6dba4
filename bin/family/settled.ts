import { setTimeout as pause } from 'node:timers/promises';
import { LOCK } from '#lib/table/items.ts';
import { recoverJournal } from '#lib/table/journal/recovery.ts';
import { isStanding } from '#lib/table/journal/standing-lock.ts';
import { addressOf } from '#lib/table/keys.ts';
import { keyOfRaw, type RawItem, readRaw } from './raw.ts';

/** A large transaction of a dead process is not prolonged, and may be ended after ten seconds. */
const TRIES = 30;
const APART_MS = 1_000;

/**
 * Ends the large transactions that lock some of a table's items, and returns the items as left by them. Locks
 * of a stocktake stay: it is a document of the same family and releases them itself.
 */
export async function settleItems(table: string, items: readonly RawItem[]): Promise<readonly RawItem[]> {
  const held = items.filter((item) => journalOf(item) !== undefined);
  if (held.length === 0) return items;
  await inTable(table, async () => {
    for (const id of new Set(held.map(journalOf))) if (id !== undefined) await endJournal(id);
  });
  const again = await readRaw(table, held.map(keyOfRaw));
  const stuck = [...again.values()].find((item) => journalOf(item) !== undefined);
  if (stuck)
    throw new Error(`${keyOfRaw(stuck).pk} of ${table} is held by a transaction that has no end there.`);
  return items
    .map((item) => (journalOf(item) === undefined ? item : again.get(addressOf(keyOfRaw(item)))))
    .filter((item) => item !== undefined);
}

/** Returns the id of the journal that locks an item; undefined if it is not locked. */
function journalOf(item: RawItem): string | undefined {
  const lock = item[LOCK]?.S;
  return lock === undefined || isStanding(lock) ? undefined : lock;
}

async function endJournal(id: string): Promise<void> {
  for (let tries = 1; (await recoverJournal(id)) === 'preparing'; tries++) {
    if (tries === TRIES) throw new Error(`The large transaction ${id} is still at work: run it again.`);
    await pause(APART_MS);
  }
}

/** Runs work on another table than the one in use. */
export async function inTable(table: string, work: () => Promise<void>): Promise<void> {
  const inUse = process.env['TABLE_NAME'];
  process.env['TABLE_NAME'] = table;
  try {
    await work();
  } finally {
    process.env['TABLE_NAME'] = inUse;
  }
}
