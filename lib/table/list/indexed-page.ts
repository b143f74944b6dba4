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
  rowsAt,
} from '#lib/table/read/ranges.ts';
import { type ListRequest, pageSlice } from '#lib/table/read/request.ts';
import { ZONE } from '#lib/values/time.ts';
import {
  canAnswer,
  type DecidingRecords,
  decideIds,
  idsNamedBy,
  indexQueryOf,
  isSingleField,
} from './index-query.ts';
import { areInSnapshot, type Indexes, type IndexSnapshot, readIndexes } from './index-snapshot.ts';
import { type IndexedListRequest, type PageWithTotal, predictChunks, selectPage } from './page.ts';

/*
 * A page of a list, and its total, in three round trips at any size:
 * 1. the state and the changes; the newest records if they may be the page, else the newest id; and the
 *    indexes as a first guess (not for the first pages: the latest ids of an index are in its own item);
 * 2. the indexes, which must be read after the state, the chunks predicted from the guess, and the records
 *    that no index covers: after `upto`, in gaps, and those that the request names;
 * 3. the page's records that are not loaded yet, and chunks if the prediction was wrong.
 *
 * A source without indexes is small: its records are all among the newest, in one round trip. Proof:
 * `list-index/update/update.ts`. A reader that still finds an index corrupt logs a warning, and reads all
 * records instead.
 */

/** Attempts, if indexes or records change during the read. */
const ATTEMPTS = 4;

/** Headers without an index that a page still reads: beyond, a scan takes less memory. */
const MAX_BEHIND = 50_000;

/** The last seen index generation of each source with indexes, only for the first guess. */
const generations = new Map<string, number>();

/**
 * Reads a page with filters that the indexes can answer, in the order of ids; undefined if the records must
 * be scanned.
 */
export async function readIndexedPage(
  source: Source,
  request: ListRequest,
): Promise<PageWithTotal | undefined> {
  const query = indexQueryOf(source, request);
  if (!query) return undefined;
  // A field without allowed values: the caller may see none, or filters contradict each other.
  const isEmpty = query.groups.some((group) => group.every(({ texts }) => texts.size === 0));
  if (isEmpty) return { rows: [], total: 0 };
  const pk = partition(source.type, source.tenant);
  const listing = { pk, request, query, where: all(request.where) };
  let wrongIds: readonly number[] = [];
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const outcome = await attemptPage(source, listing).catch(asWrongIds);
    if (outcome === 'again') continue;
    if (!outcome || 'rows' in outcome) return outcome;
    // An id wrong twice did not merely change between two reads: the index is corrupt.
    const before = wrongIds;
    wrongIds = outcome.wrongIds;
    if (!wrongIds.some((id) => before.includes(id))) continue;
    process.emitWarning(`The list indexes of ${source.type} in ${source.tenant} are wrong`);
    return undefined;
  }
  return undefined;
}

/** Stands for a missing chunk among wrong ids. */
const MISSING_CHUNK_ID = 0;

function asWrongIds(error: unknown) {
  if (error instanceof MissingChunk) return { wrongIds: [MISSING_CHUNK_ID] };
  throw error;
}

async function attemptPage(source: Source, listing: IndexedListRequest) {
  const { pk, request, query, where } = listing;
  const generation = generations.get(pk) ?? 1;
  const reading = generations.has(pk) ? newestOf(listing) : { where: [], max: NOTICE_INTERVAL };
  const [{ state, byId }, newest, guess] = await Promise.all([
    readChanges(source),
    readQueryPage(pk, ALL_IDS, reading, true),
    isNear(listing) ? undefined : readIndexes({ source, generation }, query),
  ]);
  const fresh = newest.items.filter((row) => where.matches(row));
  const whole = reading.only ? [] : fresh;
  if (!newest.left && !reading.only) return wholePage(fresh, request);
  const to = newest.left?.to ?? 0;
  if (!state || !canAnswer(query, state, ZONE) || to - state.upto > MAX_BEHIND) return undefined;
  generations.set(pk, state.generation);
  const loaded: LoadedChunks = new Map();
  const rest = { from: state.upto + 1, to };
  const slack = Math.max(0, rest.to - state.upto) + state.holes.length;
  const seen = { state, byId, fresh: fresh.filter((row) => idOf(row) > state.upto), slack };
  const isGuess = guess && generation === state.generation;
  const [indexes, older, landed, named] = await Promise.all([
    readIndexes({ source, generation: state.generation }, query),
    readRange(pk, rest, { where: request.where, only: where.paths }),
    readGapHeaders(pk, state.holes),
    rowsAt(pk, idsNamedBy(query)),
    isGuess && guessChunks(listing, guess, seen, loaded),
  ]);
  const snapshot = snapshotOf(listing, indexes, { ...seen, landed, named }, loaded);
  if (!snapshot) return undefined;
  if (!areInSnapshot(indexes, snapshot.decided)) return 'again';
  const loadedRows = [...whole, ...[...landed, ...named].filter((row) => where.matches(row))];
  const newer = [...older, ...seen.fresh.toReversed()].map(idOf);
  return selectPage(listing, indexes, snapshot, {
    newer,
    loadedRows: new Map(loadedRows.map((row) => [idOf(row), row])),
  });
}

/**
 * Chooses the first read of a source with indexes: its newest rows if they are the page, barring filters,
 * else only the newest id.
 */
function newestOf({ request: { sort, page, pageSize }, where }: IndexedListRequest): RangeRead {
  const isPage = sort.descending && page * pageSize <= NOTICE_INTERVAL;
  return { where: [], ...(isPage ? { max: page * pageSize } : { max: 1, only: where.paths }) };
}

/** A source as it was read, except for its indexes. */
interface Seen extends Pick<SourceState, 'byId'> {
  readonly state: IndexState;
  /** Newest records of the list after `upto`, the newest first. */
  readonly fresh: readonly Item[];
  /** Maximum number of ids by which the indexes are behind. */
  readonly slack: number;
}

/**
 * Returns true if a page needs no chunk: it is near the end, and the latest ids are in the index's own item.
 */
function isNear({ request: { sort, page, pageSize }, query }: IndexedListRequest): boolean {
  return (
    isSingleField(query) &&
    query.days.length === 0 &&
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
  const snapshot = snapshotOf(listing, guess, { ...seen, landed: [], named: [] }, loaded);
  if (!snapshot) return;
  const beside = { newer: seen.fresh.map(idOf).reverse(), slack: seen.slack };
  await loadChunks(predictChunks(listing, guess, snapshot, beside), loaded);
}

function snapshotOf(
  listing: IndexedListRequest,
  { days }: Indexes,
  seen: Seen & DecidingRecords,
  loaded: LoadedChunks,
): IndexSnapshot | undefined {
  const { upto } = seen.state;
  const ofDays = listing.query.days.map(({ range }, each) => {
    const { runs } = days[each] ?? NO_DAYS;
    return runs && idsInDayRange(runs, range, upto);
  });
  // Days are no longer stored.
  if (ofDays.includes(undefined)) return undefined;
  const ranges = ofDays.reduce<readonly Range[]>(
    (all, one = []) => intersect(all, one),
    [{ from: 0, to: upto }],
  );
  const decided = decideIds(listing, seen, ranges);
  return decided && { ranges, decided, loaded };
}
