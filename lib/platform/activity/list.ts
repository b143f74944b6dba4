import * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { userKey } from '#lib/auth/identify.ts';
import { Colleague, profileEmbed } from '#lib/people/user/colleague.ts';
import { embed, reference } from '#lib/records/query/embeds.ts';
import { exact, exactOrList, MAX_PAGE_SIZE, period } from '#lib/records/query/filters.ts';
import { type ListQuery, rowsQuery } from '#lib/records/query/list-query.ts';
import { parseStored } from '#lib/records/stored.ts';
import { SyncType } from '#lib/records/sync-type.ts';
import { mayList } from '#lib/sync/right.ts';
import { all } from '#lib/table/expression.ts';
import { walkBetween } from '#lib/table/items.ts';
import { keyIfAny, partition } from '#lib/table/keys.ts';
import { type Page, pageSlice } from '#lib/table/read/request.ts';
import { invalid } from '#lib/values/api-error.ts';
import { Id } from '#lib/values/fields.ts';
import { type Instant, Timestamp } from '#lib/values/time.ts';
import { ACTIVITY, ActivityEntry, ActivityPack } from '../activity.ts';
import { rowsWithinReach } from './reach.ts';

/** A row of the activity log. */
export const ActivityRow = ActivityEntry.pick({
  type: true,
  record_id: true,
  revision: true,
  action: true,
  company_id: true,
  creator_id: true,
  impersonator_id: true,
}).extend({ created_at: Timestamp, user: Colleague.nullish() });

/** `with[]=user.profile`: the user who made the change. Part 5, 5B.7, 5. */
const userEmbed = reference(
  'user',
  ({ creator_id }) => keyIfAny(IdOfUser.parse(creator_id), userKey),
  profileEmbed,
);

const IdOfUser = z.int().nullable();

/** Query string of the list, which has one order: newest first. */
export const ActivityList = rowsQuery(
  {
    creator_id: exactOrList('creator_id', Id),
    type: exactOrList('type', SyncType),
    record_id: exact('record_id', Id),
    created_at: period('created_at'),
  },
  { pageSize: MAX_PAGE_SIZE, embeds: { 'user.profile': userEmbed } },
);

const DAY_MS = 24 * 60 * 60 * 1000;

const KEPT_MS = 90 * DAY_MS;

/** Rows that a request can read and filter: thirty megabytes. */
const MAX_ROWS = 200_000;

/**
 * Lists the activity on records within the caller's reach, of types they may list, newest first. Reads all
 * rows of the period, as they are not counted. 422 on `filter[created_at]` if they are too many for a
 * request.
 */
export async function list(
  actor: Staff,
  query: ListQuery,
  at: Instant,
): Promise<Page<z.input<typeof ActivityRow>>> {
  const isSelected = all(query.where);
  const found = (await readRows(actor, query, at)).filter((row) => isSelected.matches(row));
  const open = found.filter(({ type }) => isOpen(actor, type));
  const rows = (await rowsWithinReach(actor, open)).sort((a, b) => (a.order < b.order ? 1 : -1));
  const { page, pageSize } = query;
  const shown = await embed(pageSlice(rows, query), query.embeds);
  return { rows: shown.map((row) => parseStored(ActivityRow, row)), total: rows.length, page, pageSize };
}

/** Returns whether a caller may list a type; a row's type may no longer exist. Contract 9.140. */
function isOpen(actor: Staff, type: string): boolean {
  const known = SyncType.safeParse(type).data;
  return known !== undefined && mayList(actor, known);
}

/**
 * Reads the rows of a period, each once. The stream may deliver a change late, and its pack may begin with an
 * earlier event, but by less than a day: the stream holds none older.
 */
async function readRows({ tenant }: Staff, { where }: ListQuery, at: Instant): Promise<ActivityEntry[]> {
  const span = where.find(({ paths }) => paths.includes('created_at'))?.span;
  const from = Math.max(span?.from ?? 0, at - KEPT_MS);
  const to = Math.min(span?.below ?? at, at);
  const rows = new Map<string, ActivityEntry>();
  if (to < from) return [];
  const pk = partition(ACTIVITY, tenant);
  for await (const packs of walkBetween(
    { pk, sk: timeKey(from - DAY_MS) },
    { pk, sk: timeKey(to + DAY_MS) },
  )) {
    for (const pack of packs) {
      for (const row of ActivityPack.parse(pack).rows) if (row.created_at >= from) rows.set(row.order, row);
    }
    if (rows.size > MAX_ROWS)
      throw invalid({ 'filter.created_at': { key: 'list.period_too_long', with: { max: MAX_ROWS } } });
  }
  return [...rows.values()];
}

/** Returns the prefix of keys of packs that begin at a time. */
function timeKey(at: Instant): string {
  return String(Math.max(0, at)).padStart(15, '0');
}
