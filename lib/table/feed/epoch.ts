import { createHash, randomUUID } from 'node:crypto';
import { updateOne } from '#lib/table/change/send.ts';
import { tableName } from '#lib/table/client.ts';
import { unlocked } from '#lib/table/items.ts';
import type { Key } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';

/** The item of the epoch. A table that never lost sight of a change has none. */
const EPOCH: Key = { pk: 'feed-watch', sk: 'epoch' };

const FIRST = 'first';

/**
 * Reads which line of changes the feeds belong to. Who has read them in another one has lost sight of
 * changes: another table is in use, one that was restored or the one before it, or the stream has lost some.
 * Then everything is read anew. One round trip.
 */
export async function feedEpoch(): Promise<string> {
  const epoch = (await getItem(EPOCH))?.['epoch'];
  return `${nameOfTable()} ${typeof epoch === 'string' ? epoch : FIRST}`;
}

/** Names the table in use in few characters, which tell nobody how it is called. */
function nameOfTable(): string {
  return createHash('sha256').update(tableName()).digest('base64url').slice(0, 8);
}

/**
 * Begins another epoch. It has a name that never was: a restored table may be older than the one before, so
 * that the next number could be one that readers know.
 */
export async function invalidateFeed(): Promise<void> {
  await updateOne(EPOCH, { set: { epoch: randomUUID() } }, unlocked);
}
