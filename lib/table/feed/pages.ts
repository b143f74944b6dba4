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
 * The feed of a family: which of its records have changed, in numbered pages. It has keys only; whoever reads
 * it reads the records, as they are by then.
 *
 * A page is put if its number is free, and only by who has seen the page before it. So numbers have no gaps,
 * and they need no counter that all writers would share. A reader who has read up to a page, consistently,
 * can miss nothing that comes later: it comes behind. What follows the changes may append the same twice, or
 * late: then a record is read once more.
 *
 * The newest page stays for ever, and its successor sets its end: so a reader who comes after that finds a
 * gap, even if nothing has changed in the family for a year.
 */

/** A page is kept for two days longer than a reader's place is good for. */
const KEPT_S = 32 * 24 * 60 * 60;

/** Entries of a page: some fifteen kilobytes. */
const MAX_ENTRIES = 300;

const Places = [z.int().nullable(), z.int().nullable(), z.int().nullable()] as const;

/**
 * A record that has changed: type, id, and the company, the desk and the warehouse that its item names, null
 * for one that it does not name. These tell whom it can't concern; whom it does, only the record tells. If it
 * named others before, they follow.
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

/** Appends entries to a family's feed, each record once, three hundred to a page. */
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

/** Makes one entry of a record's two: it names what the record named before the first that moved it. */
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
    // Nobody would miss this if the process died here: that page would only stay for ever.
    const expires_at = Math.ceil(at / 1000) + KEPT_S;
    await updateOne(pageKey(tenant, before), { set: { expires_at } }, present('pk'));
    return before + 1;
  }
}

/** Reads the number of the last page of a family's feed, 0 if it has none. One round trip. */
export async function feedEnd(tenant: Tenant): Promise<number> {
  const [last] = await query(pageKey(tenant, 0).pk, { isNewest: true, after: 0, max: 1 });
  return last?.number ?? 0;
}

/**
 * Reads the pages after one, in their order, at most so many; undefined if pages after it are gone. One round
 * trip.
 */
export async function readFeed(tenant: Tenant, after: number, max: number): Promise<FeedPage[] | undefined> {
  const read = () => query(pageKey(tenant, 0).pk, { isNewest: false, after, max });
  const found = await read();
  const pages = withoutGap(after, found);
  if (pages.length > 0 || found.length === 0) return pages;
  // A page may have come to its place after this had passed there, but not twice.
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
