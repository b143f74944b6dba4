import { createHash, randomUUID } from 'node:crypto';
import { updateOne } from '#lib/table/change/send.ts';
import { tableName } from '#lib/table/client.ts';
import { unlocked } from '#lib/table/items.ts';
import type { Key } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';

/** The item of the epoch. Absent until changes have been lost for the first time. */
const EPOCH: Key = { pk: 'feed-watch', sk: 'epoch' };

const FIRST = 'first';

/**
 * Returns the current epoch of the feeds. A cursor from another epoch may have missed changes: another table
 * is in use (a restored one, or the one before it), or the stream has lost some. The reader then starts again
 * with an initial sync. One round trip.
 */
export async function feedEpoch(): Promise<string> {
  const epoch = (await getItem(EPOCH))?.['epoch'];
  return `${nameOfTable()} ${typeof epoch === 'string' ? epoch : FIRST}`;
}

/** Returns a short hash of the table's name, which does not disclose it. */
function nameOfTable(): string {
  return createHash('sha256').update(tableName()).digest('base64url').slice(0, 8);
}

/**
 * Starts a new epoch, with a name that was never used: a restored table may be older than the previous one,
 * so the next number could be known to readers.
 */
export async function invalidateFeed(): Promise<void> {
  await updateOne(EPOCH, { set: { epoch: randomUUID() } }, unlocked);
}
