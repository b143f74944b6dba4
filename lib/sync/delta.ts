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
 * The changes after the first part, in the order of the family's feed. It has keys only, and each record is
 * read as it is now: what changed several times since may come once, and what came already at the same
 * revision may come again, but nothing is passed over.
 */

/** As many pages of a feed are looked at, and as many entries in them. */
const MAX_PAGES = 200;
const MAX_ENTRIES = 10_000;

/** Reads on from a place. Two round trips, one if there is nothing. 410 if pages after it are gone. */
export async function readDelta(
  actor: Staff,
  copies: readonly SyncDefinition[],
  { from, max }: { readonly from: DeltaPosition; readonly max: number },
): Promise<SyncWindow> {
  const pages = await readFeed(actor.tenant, from.page, MAX_PAGES);
  if (!pages) throw new ApiError(410, { key: 'sync.begin_again' });
  const last = pages.at(-1);
  if (!last) return { candidates: [], end: from, isEnd: true };
  const told = pages.flatMap((page) => recordsIn(page, from)).slice(0, MAX_ENTRIES);
  const asker = {
    companies: actor.companies,
    reaches: new Map(copies.map(({ type, reach }) => [type, reach(actor)])),
    slow: new Set(copies.flatMap(({ type, further }) => (further(actor) ? [type] : []))),
  };
  if (told.some((each) => changesReach(asker, each))) {
    throw new ApiError(410, { key: 'sync.reach_changed' });
  }
  const news = uniqueRecords(told.filter(({ asked, entry }) => mayConcern(asker, asked, placesIn(entry).is)));
  const chosen = choose(asker, news, max);
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
  const reached = cut ?? (told.length < MAX_ENTRIES ? undefined : told);
  const end = reached?.at(-1)?.after ?? { page: last.number, entries: 0, records: 0 };
  return { candidates, end, isEnd: !reached && pages.length < MAX_PAGES };
}

/** A caller, and what they ask for. */
interface Asker extends Pick<Staff, 'companies'> {
  /** Conditions of each type, as far as they are known. */
  readonly reaches: ReadonlyMap<SyncType, readonly Expression[]>;
  /** Types of which the table must tell more. */
  readonly slow: ReadonlySet<SyncType>;
}

/**
 * Chooses as many of the first records as are wanted. One of a slow type costs nothing before it is judged,
 * and so does not count: few of them may be in reach.
 */
function choose({ slow }: Asker, news: readonly FeedRecord[], max: number): readonly FeedRecord[] {
  let left = max;
  const past = news.findIndex(({ asked }) => {
    if (!slow.has(asked.type)) left -= 1;
    return left < 0;
  });
  return past === -1 ? news : news.slice(0, past);
}

/** Tells whether a record at some places may be one that is copied and in reach, as far as these tell. */
function mayConcern(
  { reaches }: Asker,
  { type, id }: RequestedEntry,
  [company_id, cashbox_id, stock_id]: EntryPlaces,
): boolean {
  const told = Object.entries({ id, company_id, cashbox_id, stock_id });
  const known = Object.fromEntries(told.filter(([, value]) => typeof value === 'number'));
  const isKnown = (path: string) => path in known;
  return reaches.get(type)?.every(({ paths, matches }) => !paths.every(isKnown) || matches(known)) ?? false;
}

const PLACES: readonly SyncType[] = ['cashbox.cashbox', 'stock.stock'];

/**
 * Tells whether a move takes records out of a caller's reach or into it: a desk or warehouse that goes from
 * or to a company of theirs, or a record that goes from a place of theirs to another.
 */
function changesReach(asker: Asker, { asked, entry }: FeedRecord): boolean {
  const { is, was } = placesIn(entry);
  if (!was) return false;
  const { companies } = asker;
  const isTheirs = ([company]: EntryPlaces) => companies === 'all' || companies.includes(company ?? 0);
  if (PLACES.includes(asked.type)) return is[0] !== was[0] && (isTheirs(is) || isTheirs(was));
  return mayConcern(asker, asked, was) && !mayConcern(asker, asked, is);
}
