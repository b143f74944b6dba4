import type { DynamoDBRecord } from 'aws-lambda';
import { changesIn, type TableChange } from '#lib/table/feed/change.ts';
import { recordHeartbeats } from '#lib/table/feed/heartbeat.ts';
import { appendToFeed, type FeedEntry } from '#lib/table/feed/pages.ts';
import type { Tenant } from '#lib/table/keys.ts';
import { mapConcurrent } from '#lib/values/concurrency.ts';
import type { Instant } from '#lib/values/time.ts';
import { recordActivity } from './activity.ts';

/*
 * Follows the stream of the table, a batch at a time. A batch that was cut off anywhere comes again, whole or
 * halved, and each step may be done twice: an entry that is appended again has its record read once more, and
 * what is noted again lies at the same key.
 */

/** Families whose changes are written at once. */
const AT_ONCE = 20;

/** Appends what a batch of the stream tells to the feeds of its families, and notes who did it. */
export async function consumeChanges(records: readonly DynamoDBRecord[], at: Instant): Promise<void> {
  const changes = records.flatMap(changesIn);
  const byTenant = [...Map.groupBy(changes, ({ tenant }) => tenant)];
  await mapConcurrent(byTenant, AT_ONCE, ([tenant, of]) => followFamily(tenant, of, at));
  // Last: what has come so far is followed.
  await recordHeartbeats(records);
}

// The worker that watches the feed has no other way to the table.
export { invalidateFeed } from '#lib/table/feed/epoch.ts';
export { sendHeartbeat } from '#lib/table/feed/heartbeat.ts';

/** Appends first: nothing is told of by another way before whoever asks for it can be given it. */
async function followFamily(tenant: Tenant, changes: readonly TableChange[], at: Instant): Promise<void> {
  await appendToFeed(tenant, changes.map(entryOf), at);
  await recordActivity(tenant, changes, at);
}

function entryOf({ type, id, companyId, cashboxId, stockId, moved }: TableChange): FeedEntry {
  const is = [companyId ?? null, cashboxId ?? null, stockId ?? null] as const;
  if (!moved) return [type, id, ...is];
  return [type, id, ...is, moved.companyId ?? null, moved.cashboxId ?? null, moved.stockId ?? null];
}
