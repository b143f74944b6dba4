import { NOTICE_INTERVAL } from '#lib/table/change/index-notice.ts';
import type { Item } from '#lib/table/client.ts';
import { all } from '#lib/table/expression.ts';
import { partition, type Source } from '#lib/table/keys.ts';
import { readChanges, type SourceState } from '#lib/table/list-index/changes.ts';
import { idsInDayRange, NO_DAYS } from '#lib/table/list-index/days.ts';
import { TAIL_IDS } from '#lib/table/list-index/edit.ts';
import type { IndexState } from '#lib/table/list-index/state.ts';
import { type LoadedChunks, loadChunks, MissingChunk } from '#lib/table/list-index/store.ts';
import { readGapHeaders } from '#lib/table/projection/progress.ts';
import {
  ALL_IDS,
  idOf,
  intersect,
  type Range,
  type RangeRead,
  readQueryPage,
  readRange,
} from '#lib/table/read/ranges.ts';
import { type ListRequest, pageSlice } from '#lib/table/read/request.ts';
import { ZONE } from '#lib/values/time.ts';
import { canAnswer, decideIds, type GapArrivals, indexQueryOf, isSingleField } from './index-query.ts';
import { areInSnapshot, type Indexes, type IndexSnapshot, readIndexes } from './index-snapshot.ts';
import { type IndexedListRequest, type PageWithTotal, predictChunks, selectPage } from './page.ts';

/*
 * A page of a list, and its total, in three round trips at any size:
 * 1. the state and the changes, the newest records if the page may consist of them, else the newest id, and
 *    the indexes as a first guess (not for the first pages, as the latest ids of an index are in its own
 *    item);
 * 2. the indexes, which must be read after the state, the chunks that the guess asks for, and the records
 *    that no index knows of: after `upto`, and in holes;
 * 3. the records of the page that are not at hand, and chunks if the guess was wrong.
 *
 * A source without indexes yet is small: its records are all among the newest, in one round trip.
 * `rollups.ts` says why it is right. A reader who finds an index wrong all the same warns of it, and reads
 * all records instead.
 */

/** How often a reader starts over if indexes or records have changed meanwhile. */
const ATTEMPTS = 4;

/** Headers that no index knows of yet and that a page still reads: beyond, a scan takes less memory. */
const MAX_BEHIND = 50_000;

/** The last seen generation of the indexes of sources that have some, for the first guess only. */
const generations = new Map<string, number>();

/**
 * Reads a page under filters that indexes know of, in the order of ids; undefined if the records must tell.
 */
export async function readIndexedPage(
  source: Source,
  request: ListRequest,
): Promise<PageWithTotal | undefined> {
  const wanted = indexQueryOf(source, request);
  if (!wanted) return undefined;
  // A caller to whom nothing is open leaves a field no value, and so do filters that contradict each other.
  const isEmpty = wanted.groups.some((group) => group.every(({ texts }) => texts.size === 0));
  if (isEmpty) return { rows: [], total: 0 };
  const pk = partition(source.type, source.tenant);
  const listing = { pk, request, wanted, where: all(request.where) };
  let wrongIds: readonly number[] = [];
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const outcome = await attemptPage(source, listing).catch(tornAs);
    if (outcome === 'again') continue;
    if (!outcome || 'rows' in outcome) return outcome;
    // An id that is wrong twice did not only change between two reads: the index is wrong.
    const before = wrongIds;
    wrongIds = outcome.wrongIds;
    if (!wrongIds.some((id) => before.includes(id))) continue;
    process.emitWarning(`The list indexes of ${source.type} in ${source.tenant} are wrong`);
    return undefined;
  }
  return undefined;
}

/** A missing chunk, among wrong ids. */
const GONE = 0;

function tornAs(error: unknown) {
  if (error instanceof MissingChunk) return { wrongIds: [GONE] };
  throw error;
}

async function attemptPage(source: Source, listing: IndexedListRequest) {
  const { pk, request, wanted, where } = listing;
  const generation = generations.get(pk) ?? 1;
  const reading = generations.has(pk) ? newestOf(listing) : { where: [], max: NOTICE_INTERVAL };
  const [{ state, byId }, newest, guess] = await Promise.all([
    readChanges(source),
    readQueryPage(pk, ALL_IDS, reading, true),
    isNear(listing) ? undefined : readIndexes({ source, generation }, wanted),
  ]);
  const fresh = newest.items.filter((row) => where.matches(row));
  const whole = reading.only ? [] : fresh;
  if (!newest.left && !reading.only) return wholePage(fresh, request);
  const to = newest.left?.to ?? 0;
  if (!state || !canAnswer(wanted, state, ZONE) || to - state.upto > MAX_BEHIND) return undefined;
  generations.set(pk, state.generation);
  const loaded: LoadedChunks = new Map();
  const rest = { from: state.upto + 1, to };
  const slack = Math.max(0, rest.to - state.upto) + state.holes.length;
  const seen = { state, byId, fresh: fresh.filter((row) => idOf(row) > state.upto), slack };
  const isGuess = guess && generation === state.generation;
  const [indexes, older, landed] = await Promise.all([
    readIndexes({ source, generation: state.generation }, wanted),
    readRange(pk, rest, { where: request.where, only: where.paths }),
    readGapHeaders(pk, state.holes),
    isGuess && guessChunks(listing, guess, seen, loaded),
  ]);
  const known = learn(listing, indexes, { ...seen, landed }, loaded);
  if (!known) return undefined;
  if (!areInSnapshot(indexes, known.judged)) return 'again';
  const hand = [...whole, ...landed.filter((row) => where.matches(row))];
  const newer = [...older, ...seen.fresh.toReversed()].map(idOf);
  return selectPage(listing, indexes, known, { newer, hand: new Map(hand.map((row) => [idOf(row), row])) });
}

/**
 * Chooses what is read at once of a source that is known to have indexes: its newest rows if they are the
 * page, unless filters keep them from it, else only the newest id.
 */
function newestOf({ request: { sort, page, pageSize }, where }: IndexedListRequest): RangeRead {
  const isPage = sort.descending && page * pageSize <= NOTICE_INTERVAL;
  return { where: [], ...(isPage ? { max: page * pageSize } : { max: 1, only: where.paths }) };
}

/** A source as it was seen, beside its indexes. */
interface Seen extends Pick<SourceState, 'byId'> {
  readonly state: IndexState;
  /** Newest records that belong to the list and are after `upto`, the newest first. */
  readonly fresh: readonly Item[];
  /** By how many ids the indexes may be behind. */
  readonly slack: number;
}

/**
 * Tells whether a page needs no chunk: it is near the end, and the latest ids are in the index's own item.
 */
function isNear({ request: { sort, page, pageSize }, wanted }: IndexedListRequest): boolean {
  return (
    isSingleField(wanted) &&
    wanted.days.length === 0 &&
    sort.descending &&
    page * pageSize <= TAIL_IDS - NOTICE_INTERVAL
  );
}

function wholePage(newest: readonly Item[], request: ListRequest): PageWithTotal {
  const rows = request.sort.descending ? newest : newest.toReversed();
  return { rows: pageSlice(rows, request), total: rows.length };
}

async function guessChunks(
  listing: IndexedListRequest,
  guess: Indexes,
  seen: Seen,
  loaded: LoadedChunks,
): Promise<void> {
  const known = learn(listing, guess, { ...seen, landed: [] }, loaded);
  if (!known) return;
  const beside = { newer: seen.fresh.map(idOf).reverse(), slack: seen.slack };
  await loadChunks(predictChunks(listing, guess, known, beside), loaded);
}

function learn(
  listing: IndexedListRequest,
  { days }: Indexes,
  seen: Seen & GapArrivals,
  loaded: LoadedChunks,
): IndexSnapshot | undefined {
  const { upto } = seen.state;
  const ofDays = listing.wanted.days.map(({ range }, each) => {
    const { runs } = days[each] ?? NO_DAYS;
    return runs && idsInDayRange(runs, range, upto);
  });
  // Days that are not kept any more tell nothing.
  if (ofDays.includes(undefined)) return undefined;
  const ranges = ofDays.reduce<readonly Range[]>(
    (all, one = []) => intersect(all, one),
    [{ from: 0, to: upto }],
  );
  const judged = decideIds(listing, seen, ranges);
  return judged && { ranges, judged, loaded };
}
