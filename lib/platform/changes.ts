import type { DynamoDBRecord } from 'aws-lambda';
import { changesIn, type TableChange } from '#lib/table/feed/change.ts';
import { recordHeartbeats } from '#lib/table/feed/heartbeat.ts';
import { appendToFeed, type FeedEntry } from '#lib/table/feed/pages.ts';
import type { Tenant } from '#lib/table/keys.ts';
import { mapConcurrent } from '#lib/values/concurrency.ts';
import type { Instant } from '#lib/values/time.ts';
import { recordActivity } from './activity.ts';

/*
 * Consumes the table's stream, a batch at a time. An interrupted batch is delivered again, whole or halved,
 * and each step is idempotent: a repeated feed entry has its record read once more, and a repeated activity
 * row has the same key.
 */

/** Families whose changes are written concurrently. */
const AT_ONCE = 20;

/** Appends the changes of a batch to the feeds and activity logs of its families. */
export async function consumeChanges(records: readonly DynamoDBRecord[], at: Instant): Promise<void> {
  const changes = records.flatMap(changesIn);
  const byTenant = [...Map.groupBy(changes, ({ tenant }) => tenant)];
  await mapConcurrent(byTenant, AT_ONCE, ([tenant, of]) => consumeFamily(tenant, of, at));
  // Last: a heartbeat confirms that all before it is consumed.
  await recordHeartbeats(records);
}

// The worker that watches the feed accesses the table through this module only.
export { invalidateFeed } from '#lib/table/feed/epoch.ts';
export { sendHeartbeat } from '#lib/table/feed/heartbeat.ts';

/** Appends to the feed first: a change is published elsewhere only when a sync can return it. */
async function consumeFamily(tenant: Tenant, changes: readonly TableChange[], at: Instant): Promise<void> {
  await appendToFeed(tenant, changes.map(entryOf), at);
  await recordActivity(tenant, changes, at);
}

function entryOf({ type, id, companyId, cashboxId, stockId, moved }: TableChange): FeedEntry {
  const is = [companyId ?? null, cashboxId ?? null, stockId ?? null] as const;
  if (!moved) return [type, id, ...is];
  return [type, id, ...is, moved.companyId ?? null, moved.cashboxId ?? null, moved.stockId ?? null];
}
