import * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { SYNC_LAST_PAGES, SYNC_PAGES, takeFixedWindow } from '#lib/auth/rate-limit.ts';
import { SyncType } from '#lib/records/sync-type.ts';
import { feedEpoch } from '#lib/table/feed/epoch.ts';
import { feedEnd } from '#lib/table/feed/pages.ts';
import { ApiError, rightRequired } from '#lib/values/api-error.ts';
import type { Locale } from '#lib/values/text.ts';
import { type Instant, Timestamp } from '#lib/values/time.ts';
import { type Cursor, openCursor, sealCursor } from './cursor.ts';
import { readDelta } from './delta.ts';
import { readInitial } from './initial.ts';
import { makePage } from './page.ts';
import type { SyncWindow } from './position.ts';
import { nameReach } from './reach.ts';
import { syncDefinitionOf } from './registry.ts';
import { mayCopy, rightFor } from './right.ts';

/** Query string of a sync page. Part 4, 4.1. */
export const SyncQuery = z
  .strictObject({
    types: z.array(SyncType).min(1).max(40).optional(),
    cursor: z.string().max(1000).optional(),
    limit: z.int().min(1).max(500).default(200),
  })
  .refine(({ types, cursor }) => types !== undefined || cursor !== undefined, {
    path: ['types'],
    error: 'validation.required',
  });

/** A sync page, with the time of the call. Part 5, 5B.12, 1. */
export const SyncResponse = z.object({
  data: z.array(entryUnion()),
  cursor: z.string(),
  has_more: z.boolean(),
  now: Timestamp,
});

/** A request for a page. */
interface Call {
  readonly actor: Staff;
  readonly query: z.output<typeof SyncQuery>;
  readonly at: Instant;
  readonly locale: Locale;
}

/**
 * Reads the next page: the initial sync, then the changes. Beside authentication one round trip if nothing
 * has changed, else up to five. 403 without the right to list each type; 410 if the sync must start over; 429
 * over the rate limit.
 */
export async function sync({ actor, query, at, locale }: Call): Promise<z.input<typeof SyncResponse>> {
  const { cursor: given, limit: max } = query;
  const opened = given === undefined ? undefined : openCursor(actor, given, query.types, at);
  const types = opened?.types ?? [...new Set(query.types)];
  requireRights(actor, types);
  const caller = String(actor.id);
  const cursor = opened ?? (await newCursor(actor, types));
  const [stretch] = await Promise.all([
    readStretch(actor, cursor, max),
    takeFixedWindow(SYNC_PAGES, caller, at),
    opened && requireSame(actor, opened),
  ]);
  const { entries, place, isEnd } = await makePage({ actor, locale }, stretch);
  if (isEnd) await takeFixedWindow(SYNC_LAST_PAGES, caller, at);
  const next = sealCursor(actor, { ...cursor, place }, at);
  return { data: [...entries], cursor: next, has_more: !isEnd, now: at };
}

function requireRights(actor: Staff, types: readonly SyncType[]): void {
  const refused = types.find((type) => !mayCopy(actor, type));
  const right = refused === undefined ? null : rightFor(refused);
  if (right !== null) throw rightRequired(right);
}

/** Returns the cursor of a new sync: writes from now on come among the changes. One round trip. */
async function newCursor(actor: Staff, types: readonly SyncType[]): Promise<Cursor> {
  const [epoch, reach, start] = await Promise.all([
    feedEpoch(actor.tenant),
    nameReach(actor, types),
    feedEnd(actor.tenant),
  ]);
  return { types, epoch, reach, start, place: { type: 0, id: 0, looked: 0 } };
}

/** Requires that the feed is complete since the cursor was issued, and the reach unchanged. 410 otherwise. */
async function requireSame(actor: Staff, cursor: Cursor): Promise<void> {
  const [epoch, reach] = await Promise.all([feedEpoch(actor.tenant), nameReach(actor, cursor.types)]);
  if (epoch !== cursor.epoch) throw new ApiError(410, { key: 'sync.begin_again' });
  if (reach !== cursor.reach) throw new ApiError(410, { key: 'sync.reach_changed' });
}

function readStretch(actor: Staff, { types, start, place }: Cursor, max: number): Promise<SyncWindow> {
  const copies = types.map(syncDefinitionOf);
  if ('page' in place) return readDelta(actor, copies, { from: place, max });
  const after = { page: start, entries: 0, records: 0 };
  return readInitial(actor, copies, { from: place, start: after, max });
}

/** Builds the schema of an entry: a union by type, each record's schema built on first use. */
function entryUnion() {
  const [first, ...others] = SyncType.options.map((type) =>
    z.object({
      type: z.literal(type),
      id: z.int(),
      revision: z.int(),
      is_deleted: z.boolean(),
      record: z.lazy(() => syncDefinitionOf(type).form),
    }),
  );
  if (!first) throw new Error('Nothing is copied');
  return z.discriminatedUnion('type', [first, ...others]);
}
