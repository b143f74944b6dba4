import type { Staff } from '#lib/auth/actor.ts';
import type { SyncType } from '#lib/records/sync-type.ts';
import type { Expression } from '#lib/table/expression.ts';
import { readFeed } from '#lib/table/feed/pages.ts';
import { ApiError } from '#lib/values/api-error.ts';
import type { SyncDefinition } from './definition/definition.ts';
import { findInReach, type RequestedEntry } from './entries.ts';
import { type EntryPlaces, type FeedRecord, placesIn, recordsIn, uniqueRecords } from './feed-record.ts';
import type { DeltaPosition, SyncWindow } from './position.ts';

/*
 * Delta sync: changes after the initial sync in the order of the family's feed. The feed has keys only, and
 * each record is read in its current state: several changes may yield one entry, and an entry may repeat at
 * the same revision, but none is missed.
 */

/** Feed pages, and their entries, scanned per call. */
const MAX_PAGES = 200;
const MAX_ENTRIES = 10_000;

/**
 * Reads the changes after a position. Two round trips, one if there are none. 410 if pages after it have
 * expired, or the caller's reach has changed.
 */
export async function readDelta(
  actor: Staff,
  copies: readonly SyncDefinition[],
  { from, max }: { readonly from: DeltaPosition; readonly max: number },
): Promise<SyncWindow> {
  const pages = await readFeed(actor.tenant, from.page, MAX_PAGES);
  if (!pages) throw new ApiError(410, { key: 'sync.begin_again' });
  const last = pages.at(-1);
  if (!last) return { candidates: [], end: from, isEnd: true };
  const fed = pages.flatMap((page) => recordsIn(page, from)).slice(0, MAX_ENTRIES);
  const caller = {
    companies: actor.companies,
    reaches: new Map(copies.map(({ type, reach }) => [type, reach(actor)])),
    slow: new Set(copies.flatMap(({ type, further }) => (further(actor) ? [type] : []))),
  };
  if (fed.some((each) => changesReach(caller, each))) {
    throw new ApiError(410, { key: 'sync.reach_changed' });
  }
  const news = uniqueRecords(fed.filter(({ asked, entry }) => mayConcern(caller, asked, placesIn(entry).is)));
  const chosen = choose(caller, news, max);
  const found = await findInReach(
    actor,
    chosen.map(({ asked }) => asked),
  );
  const all = found.flatMap((each, index) => {
    const after = chosen[index]?.after;
    return each && after ? [{ ...each, after }] : [];
  });
  const candidates = all.slice(0, max);
  const cut = candidates.length < all.length ? candidates : chosen.length < news.length ? chosen : undefined;
  const reached = cut ?? (fed.length < MAX_ENTRIES ? undefined : fed);
  const end = reached?.at(-1)?.after ?? { page: last.number, entries: 0, records: 0 };
  return { candidates, end, isEnd: !reached && pages.length < MAX_PAGES };
}

/** The caller with their reach. */
interface Caller extends Pick<Staff, 'companies'> {
  /** Conditions of each type that need no further reads. */
  readonly reaches: ReadonlyMap<SyncType, readonly Expression[]>;
  /** Types whose reach needs further reads. */
  readonly slow: ReadonlySet<SyncType>;
}

/**
 * Selects the first records up to a maximum. Records of a slow type do not count: few may be in reach, and
 * checking them costs nothing yet.
 */
function choose({ slow }: Caller, news: readonly FeedRecord[], max: number): readonly FeedRecord[] {
  let left = max;
  const past = news.findIndex(({ asked }) => {
    if (!slow.has(asked.type)) left -= 1;
    return left < 0;
  });
  return past === -1 ? news : news.slice(0, past);
}

/** Returns whether a record may be synced and in reach, as far as its places in the feed show. */
function mayConcern(
  { reaches }: Caller,
  { type, id }: RequestedEntry,
  [company_id, cashbox_id, stock_id]: EntryPlaces,
): boolean {
  const places = Object.entries({ id, company_id, cashbox_id, stock_id });
  const known = Object.fromEntries(places.filter(([, value]) => typeof value === 'number'));
  const isKnown = (path: string) => path in known;
  return reaches.get(type)?.every(({ paths, matches }) => !paths.every(isKnown) || matches(known)) ?? false;
}

const PLACES: readonly SyncType[] = ['cashbox.cashbox', 'stock.stock'];

/**
 * Returns whether a move takes records into or out of the caller's reach: a desk or warehouse that joins or
 * leaves one of their companies, or a record that leaves one of their places for another.
 */
function changesReach(caller: Caller, { asked, entry }: FeedRecord): boolean {
  const { is, was } = placesIn(entry);
  if (!was) return false;
  const { companies } = caller;
  const isTheirs = ([company]: EntryPlaces) => companies === 'all' || companies.includes(company ?? 0);
  if (PLACES.includes(asked.type)) return is[0] !== was[0] && (isTheirs(is) || isTheirs(was));
  return mayConcern(caller, asked, was) && !mayConcern(caller, asked, is);
}
