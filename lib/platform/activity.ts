import * as z from 'zod';
import { actionOf } from '#lib/table/change/change.ts';
import { writeOne } from '#lib/table/change/send.ts';
import type { TableChange } from '#lib/table/feed/change.ts';
import { unlocked } from '#lib/table/items.ts';
import { partition, type Tenant } from '#lib/table/keys.ts';
import { splitEvery } from '#lib/values/concurrency.ts';
import { enumeration } from '#lib/values/enumeration.ts';
import type { Instant } from '#lib/values/time.ts';

/*
 * Activity log of a family: rows in the order of events, packed, as most batches of the stream have several
 * of a family. A pack's key is its first event's: a repeated batch replaces it. If the batch was split
 * differently, a row may be in two packs, with the same `order`.
 */

/** Prefix of the keys of packs, followed by the family and the first event's order. */
export const ACTIVITY = 'activity';

/** Rows of a pack: some forty kilobytes. */
const MAX_ROWS = 300;

const KEPT_S = 90 * 24 * 60 * 60;

/** A row as stored in a pack, with the fields that decide who may see it. */
export const ActivityEntry = z.object({
  type: z.string(),
  record_id: z.int(),
  /** Version of the record's header. */
  revision: z.int(),
  action: enumeration('activity.action', ['created', 'changed', 'deleted', 'restored']),
  company_id: z.int().nullable(),
  cashbox_id: z.int().nullable(),
  stock_id: z.int().nullable(),
  /** The acting user and the impersonator; null for changes by the service itself. */
  creator_id: z.int().nullable(),
  impersonator_id: z.int().nullable(),
  created_at: z.int(),
  /** Unique: a row in two packs has the same in both. */
  order: z.string(),
});

export type ActivityEntry = z.output<typeof ActivityEntry>;

/** A pack of rows, oldest first. */
export const ActivityPack = z.object({ rows: z.array(ActivityEntry) });

/** Records the activity in a family for ninety days. Counter updates have no actor and are left out. */
export async function recordActivity(
  tenant: Tenant,
  changes: readonly TableChange[],
  at: Instant,
): Promise<void> {
  const done = changes.filter(({ isSum }) => !isSum).toSorted((a, b) => (a.order < b.order ? -1 : 1));
  const expires_at = Math.ceil(at / 1000) + KEPT_S;
  for (const few of splitEvery(done, MAX_ROWS)) {
    const key = { pk: partition(ACTIVITY, tenant), sk: few[0]?.order ?? '' };
    const item = { rows: few.map(rowOf), expires_at };
    await writeOne(actionOf(key, { kind: 'put', item }, [unlocked]));
  }
}

function rowOf(change: TableChange): ActivityEntry {
  const { type, id, action, version, at, order } = change;
  // A new record names its actor separately only if its own fields lack the creator.
  const isOwn = action === 'created' && change.changedById === undefined;
  return {
    ...{ type, record_id: id, revision: version ?? 0, action },
    company_id: change.companyId ?? null,
    cashbox_id: change.cashboxId ?? null,
    stock_id: change.stockId ?? null,
    creator_id: (isOwn ? change.creatorId : change.changedById) ?? null,
    impersonator_id: (isOwn ? change.impersonatorId : change.changedImpersonatorId) ?? null,
    created_at: at,
    order,
  };
}
