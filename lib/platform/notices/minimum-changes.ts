import * as z from 'zod';
import { put, type Write } from '#lib/table/change/write.ts';
import { absent, equals } from '#lib/table/expression.ts';
import { feedEpoch } from '#lib/table/feed/epoch.ts';
import { STOCK_LEVEL } from '#lib/table/feed/feed-types.ts';
import { type FeedEntry, feedEnd, readFeed } from '#lib/table/feed/pages.ts';
import type { Key, Tenant } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';

/*
 * Input of an hourly look at minimums: the products that the family's feed names since the last
 * look. A quiet family costs three units, however many products it has.
 */

/** Pages of the feed per round trip, and in all: beyond, everything is read, which is cheaper by then. */
const PAGES = 500;
const MAX_PAGES = 5000;

/** Types with which products come into or leave a company: everything is looked at. */
const PLACES = ['company.company', 'stock.stock'];

const Place = z.object({ epoch: z.string(), page: z.int(), version: z.int() });

/** Place in a family's feed up to which a look has gone. */
type Place = z.output<typeof Place>;

/** Products and stock levels that have changed since the last look; everything if `undefined`. */
interface Changed {
  readonly products: readonly number[];
  readonly levels: readonly number[];
}

/** Changes since the last look, and the places of that look and of this one. */
export interface MinimumChanges {
  readonly changed: Changed | undefined;
  readonly before: Place | undefined;
  readonly after: Place;
}

/** Reads the changes of a family since the last look. Two round trips, three for everything. */
export async function readMinimumChanges(tenant: Tenant): Promise<MinimumChanges> {
  const [item, epoch] = await Promise.all([getItem(placeKey(tenant)), feedEpoch(tenant)]);
  const before = item && Place.parse(item);
  const version = (before?.version ?? 0) + 1;
  const read = before?.epoch === epoch ? await readSince(tenant, before.page) : undefined;
  const changed = read && changesIn(read.entries);
  // The end of the feed is taken before anything is read: what changes later is for the next look.
  const page = changed ? read.page : await feedEnd(tenant);
  return { changed, before, after: { epoch, page, version } };
}

/**
 * Builds the write that ends a look. `Contention` if another has ended since this one began: it may have seen
 * newer goods. A look that is to be repeated stays at its place.
 */
export function placeWrite(
  tenant: Tenant,
  { before, after }: MinimumChanges,
  { isRepeated }: { readonly isRepeated: boolean },
): Write {
  const { epoch, page } = (isRepeated ? before : after) ?? { epoch: '', page: 0 };
  const guard = before ? equals('version', before.version) : absent('pk');
  return put(placeKey(tenant), { epoch, page, version: after.version }, { if: guard });
}

/** Reads the feed after a page; undefined if it has expired or is too long. */
async function readSince(tenant: Tenant, after: number) {
  const entries: FeedEntry[] = [];
  for (let page = after; page - after < MAX_PAGES; ) {
    const pages = await readFeed(tenant, page, PAGES);
    if (!pages) return undefined;
    const last = pages.at(-1);
    if (!last) return { entries, page };
    entries.push(...pages.flatMap((each) => each.entries));
    page = last.number;
  }
  return undefined;
}

function changesIn(entries: readonly FeedEntry[]): Changed | undefined {
  if (entries.some(([type]) => PLACES.includes(type))) return undefined;
  const idsOf = (word: string) => [...new Set(entries.flatMap(([type, id]) => (type === word ? [id] : [])))];
  return { products: idsOf('product.product'), levels: idsOf(STOCK_LEVEL.type) };
}

function placeKey(tenant: Tenant): Key {
  return { pk: `minimums-looked-at#${tenant}`, sk: 'place' };
}
