import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { actionOf } from '#lib/table/change/change.ts';
import { updateOne, writeOne } from '#lib/table/change/send.ts';
import { dynamo, tableName } from '#lib/table/client.ts';
import { absent, present } from '#lib/table/expression.ts';
import { type Key, padId, type Tenant } from '#lib/table/keys.ts';
import { splitEvery } from '#lib/values/concurrency.ts';
import type { Instant } from '#lib/values/time.ts';

/*
 * The change feed of a family: its changed records, in numbered pages. It has only references; readers read
 * the records in their current state.
 *
 * A page is written if its number is free, and only by a writer that has seen the page before it. So numbers
 * have no gaps, and need no counter shared by all writers. A reader that has read up to a page, consistently,
 * can't miss a later change: that comes in a later page. The stream consumer may append a change twice, or
 * late: then a record is read once more.
 *
 * The newest page does not expire; writing its successor sets its expiry. So a reader whose cursor has
 * expired detects the gap, even if the family has had no changes for a year.
 */

/** Retention of a page: two days longer than a cursor is valid. */
const RETENTION_S = 32 * 24 * 60 * 60;

/** Entries in a page, some 15 KB. */
const MAX_ENTRIES = 300;

const Places = [z.int().nullable(), z.int().nullable(), z.int().nullable()] as const;

/**
 * A changed record: type, id, and the company, desk and warehouse of its item, null if it has none. With
 * these a reader can rule out records outside its reach; whether it may see the others, only the record
 * shows. If they have changed, the previous three follow.
 */
export const FeedEntry = z.union([
  z.tuple([z.string(), z.int(), ...Places]),
  z.tuple([z.string(), z.int(), ...Places, ...Places]),
]);

export type FeedEntry = z.output<typeof FeedEntry>;

const StoredPage = z.object({ sk: z.string(), entries: z.array(FeedEntry) });

/** A page of a family's feed. */
export interface FeedPage {
  readonly number: number;
  readonly entries: readonly FeedEntry[];
}

/** Appends entries to a family's feed, one for each record, three hundred to a page. */
export async function appendToFeed(
  tenant: Tenant,
  entries: readonly FeedEntry[],
  at: Instant,
): Promise<void> {
  const distinct = new Map<string, FeedEntry>();
  for (const entry of entries) {
    const name = `${entry[0]} ${entry[1]}`;
    distinct.set(name, joinEntries(distinct.get(name), entry));
  }
  let last: number | undefined;
  for (const few of splitEvery([...distinct.values()], MAX_ENTRIES)) {
    last = await appendPage(tenant, few, { at, last: last ?? (await feedEnd(tenant)) });
  }
}

/** Merges two entries of a record: keeps the company, desk and warehouse from before the first move. */
function joinEntries(first: FeedEntry | undefined, later: FeedEntry): FeedEntry {
  if (first?.length !== 8) return later;
  const [type, id, company, desk, warehouse] = later;
  return [type, id, company, desk, warehouse, first[5], first[6], first[7]];
}

async function appendPage(
  tenant: Tenant,
  entries: readonly FeedEntry[],
  { at, last }: { readonly at: Instant; readonly last: number },
): Promise<number> {
  for (let before = last; ; before = await feedEnd(tenant)) {
    const page = { kind: 'put', item: { entries, at } } as const;
    if (!(await writeOne(actionOf(pageKey(tenant, before + 1), page, [absent('pk')])))) continue;
    // Without this update after a crash, only that page would never expire.
    const expires_at = Math.ceil(at / 1000) + RETENTION_S;
    await updateOne(pageKey(tenant, before), { set: { expires_at } }, present('pk'));
    return before + 1;
  }
}

/** Returns the number of the last page of a family's feed, 0 if it has none. One round trip. */
export async function feedEnd(tenant: Tenant): Promise<number> {
  const [last] = await query(pageKey(tenant, 0).pk, { isNewest: true, after: 0, max: 1 });
  return last?.number ?? 0;
}

/**
 * Returns at most `max` pages after a page, in order; undefined if some of them have expired. One round trip.
 */
export async function readFeed(tenant: Tenant, after: number, max: number): Promise<FeedPage[] | undefined> {
  const read = () => query(pageKey(tenant, 0).pk, { isNewest: false, after, max });
  const found = await read();
  const pages = withoutGap(after, found);
  if (pages.length > 0 || found.length === 0) return pages;
  // A page may have been inserted behind the position of the query once, but not twice.
  const again = await read();
  return again.length === 0 || again[0]?.number === after + 1 ? withoutGap(after, again) : undefined;
}

function withoutGap(after: number, pages: readonly FeedPage[]): FeedPage[] {
  return pages.filter(({ number }, index) => number === after + 1 + index);
}

async function query(
  pk: string,
  { isNewest, after, max }: { readonly isNewest: boolean; readonly after: number; readonly max: number },
): Promise<FeedPage[]> {
  const { Items = [] } = await dynamo.send(
    new QueryCommand({
      TableName: tableName(),
      KeyConditionExpression: 'pk = :pk AND sk > :after',
      ExpressionAttributeValues: { ':pk': pk, ':after': padId(after) },
      ScanIndexForward: !isNewest,
      Limit: max,
      ConsistentRead: true,
    }),
  );
  return Items.map((item) => {
    const { sk, entries } = StoredPage.parse(item);
    return { number: Number(sk), entries };
  });
}

function pageKey(tenant: Tenant, number: number): Key {
  return { pk: `feed#${tenant}`, sk: padId(number) };
}
