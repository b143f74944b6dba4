import { setTimeout as pause } from 'node:timers/promises';
import { ACTIVITY, type ActivityEntry, ActivityPack } from '#lib/platform/activity.ts';
import { type FeedEntry, readFeed } from '#lib/table/feed/pages.ts';
import { partitionItems } from '#lib/table/items.ts';
import { partition, type Tenant } from '#lib/table/keys.ts';
import { MAX_WAIT_MS } from './patience.ts';

/** Reads all entries of a family's feed, from its first page. */
export async function wholeFeed(tenant: Tenant): Promise<FeedEntry[]> {
  const pages = (await readFeed(tenant, 0, 1000)) ?? [];
  return pages.flatMap(({ entries }) => entries);
}

/** Waits until a family's feed has at least `times` entries of a record. */
export async function untilFed(tenant: Tenant, type: string, id: number, times = 1): Promise<void> {
  for (const end = Date.now() + MAX_WAIT_MS; ; await pause(50)) {
    const entries = await wholeFeed(tenant);
    if (entries.filter((entry) => entry[0] === type && entry[1] === id).length >= times) return;
    if (Date.now() > end) throw new Error(`The feed of ${tenant} does not tell of ${type} ${id}`);
  }
}

/** Reads a family's activity, the oldest first, each entry once. */
export async function wholeActivity(tenant: Tenant): Promise<ActivityEntry[]> {
  const packs = await partitionItems(partition(ACTIVITY, tenant));
  const rows = packs.flatMap((pack) => ActivityPack.parse(pack).rows);
  return [...new Map(rows.map((row) => [row.order, row])).values()];
}
