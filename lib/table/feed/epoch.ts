import { createHash, randomUUID } from 'node:crypto';
import { updateOne } from '#lib/table/change/send.ts';
import { tableName } from '#lib/table/client.ts';
import { unlocked } from '#lib/table/items.ts';
import type { Key, Tenant } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';

/** The item of the epoch. Absent until changes have been lost for the first time. */
const EPOCH: Key = { pk: 'feed-watch', sk: 'epoch' };

const FIRST = 'first';

/**
 * Returns the current epoch of a family's feed. A cursor from another epoch may have missed changes: another
 * table is in use (a restored one, or the one before it), the stream has lost some, or the family was
 * restored. The reader then starts again with an initial sync. One round trip.
 */
export async function feedEpoch(tenant: Tenant): Promise<string> {
  const item = await getItem(EPOCH);
  const [all = FIRST, own] = [item?.['epoch'], item?.[tenant]];
  return [nameOfTable(), all, ...(own === undefined ? [] : [own])].join(' ');
}

/** Returns a short hash of the table's name, which does not disclose it. */
function nameOfTable(): string {
  return createHash('sha256').update(tableName()).digest('base64url').slice(0, 8);
}

/**
 * Starts a new epoch of all families, or of one: few are ever restored, so all are in one item. It has a name
 * that was never used: a restored table may be older than the previous one, so the next number could be known
 * to readers.
 */
export async function invalidateFeed(tenant?: Tenant): Promise<void> {
  await updateOne(EPOCH, { set: { [tenant ?? 'epoch']: randomUUID() } }, unlocked);
}
