import type { Item } from '#lib/table/client.ts';
import { all, type Expression } from '#lib/table/expression.ts';
import { getRawItems } from '#lib/table/items.ts';
import { partition, type Source } from '#lib/table/keys.ts';
import { textOf } from '#lib/table/list-index/value.ts';
import { covers, readGapHeaders } from '#lib/table/projection/progress.ts';
import { ALL_IDS, idOf, readQueryPage, readRange } from '#lib/table/read/ranges.ts';
import type { Search } from '#lib/values/search-words.ts';
import { MissingBlock, readBlocks } from './blocks.ts';
import {
  attributesOf,
  EVERY,
  externalRange,
  FOUND,
  filterWord,
  isWithin,
  marksOf,
  rangesOf,
  rankOf,
  rankOfRow,
  type SearchFields,
  type WordRange,
} from './document.ts';
import { blocksFor, idsOfSegment, type WordIds } from './segment.ts';
import { isCurrentSearch, readSearch, SearchState, searchFieldsOf, searchStateKey } from './state.ts';

/** Records found by a search: their ranks by id, and the headers that were read for it. */
export interface Found {
  readonly ranks: ReadonlyMap<number, number>;
  /** Conditions that remain to be checked on headers. */
  readonly residual: readonly Expression[];
}

/** Attempts, if an update ends during the read. */
const ATTEMPTS = 4;

/** Headers without a segment that a search still reads: beyond, all are read. */
const MAX_BEHIND = 20_000;

/**
 * Finds the records of a search. Two round trips. Undefined if the source has no segments, as it has few
 * records, or if they are far behind. Proof: `update.ts`.
 */
export async function findByWords(
  source: Source,
  search: Search,
  where: readonly Expression[],
): Promise<Found | undefined> {
  const fields = searchFieldsOf(source);
  if (!fields) throw new Error(`There is no search of ${source.type}`);
  const { filters, residual } = splitFilters(fields, where);
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const ranks = await attemptSearch(source, { fields, search, filters, where }).catch((error: unknown) => {
      if (error instanceof MissingBlock) return 'again' as const;
      throw error;
    });
    if (ranks !== 'again') return ranks && { ranks, residual };
  }
  return undefined;
}

/** Conditions on values: a record matches one by one of its words, and must match all. */
type Filters = readonly (readonly WordRange[])[];

interface Sought {
  readonly fields: SearchFields;
  readonly search: Search;
  readonly filters: Filters;
  readonly where: readonly Expression[];
}

async function attemptSearch(source: Source, sought: Sought) {
  const { fields } = sought;
  const pk = partition(source.type, source.tenant);
  const [{ state, changes }, newest] = await Promise.all([
    readSearch(source),
    readQueryPage(pk, ALL_IDS, { where: [], max: 1, only: [] }, true),
  ]);
  const last = newest.items[0] ? idOf(newest.items[0]) : 0;
  if (!state || !isCurrentSearch(state, fields) || last - state.upto > MAX_BEHIND) return undefined;
  const only = [...attributesOf(fields), ...sought.where.flatMap(({ paths }) => paths)];
  const ranges = allRanges(sought);
  const places = placesOf(state, ranges);
  const [blocks, fresh, landed, [now]] = await Promise.all([
    readBlocks(source, places),
    readRange(pk, { from: state.upto + 1, to: last }, { where: [], only }),
    readGapHeaders(pk, state.holes),
    getRawItems([searchStateKey(source)]),
  ]);
  const fold = SearchState.safeParse(now).data?.fold ?? Number.POSITIVE_INFINITY;
  if (fold > state.fold + 1) return 'again';
  const rows = new Map<number, Item>([...changes.values()].map(({ id, row }) => [id, row]));
  for (const row of [...landed, ...fresh]) rows.set(idOf(row), row);
  const segments = state.segments.map(({ name }) =>
    blocks.filter((_, index) => places[index]?.name === name).flat(),
  );
  const isCovered = (id: number) => covers(state, id) && !rows.has(id);
  return new Map([...ranksInSegments(segments, sought, isCovered), ...ranksOfRows(rows, sought)]);
}

/** Ranks records by segments, the oldest first: a newer one hides its records in the older ones. */
function ranksInSegments(
  segments: readonly (readonly WordIds[])[],
  sought: Sought,
  isCovered: (id: number) => boolean,
): Map<number, number> {
  const hidden = new Set<number>();
  const ranks = new Map<number, number>();
  for (const postings of segments.toReversed()) {
    for (const [id, rank] of ranksIn(postings, sought)) {
      if (isCovered(id) && !hidden.has(id)) ranks.set(id, rank);
    }
    for (const id of idsOfSegment(postings)) hidden.add(id);
  }
  return ranks;
}

/** Ranks records by their attributes, apart from conditions that are no words. */
function ranksOfRows(rows: ReadonlyMap<number, Item>, { fields, search, where }: Sought) {
  const filter = all(where.filter((each) => isIndexed(fields, each)));
  return [...rows].flatMap(([id, row]): [number, number][] => {
    const rank = filter.matches(row) ? rankOfRow(fields, row, search) : undefined;
    return rank === undefined ? [] : [[id, rank]];
  });
}

/** Ranks the records of a segment. */
function ranksIn(postings: readonly WordIds[], { search, filters }: Sought): Map<number, number> {
  const { words } = search;
  const marks = words.map((word, index) => {
    const ranges = rangesOf(word);
    const ofIds = new Map<number, number>();
    for (const posting of postings) {
      const mark = ranges.reduce((sum, range) => sum | marksOf(posting, range, index, words.length), 0);
      if ((mark & FOUND) === 0) continue;
      for (const id of posting.ids) ofIds.set(id, (ofIds.get(id) ?? 0) | mark);
    }
    return ofIds;
  });
  const ranks = new Map<number, number>();
  for (const id of marks[0]?.keys() ?? []) {
    const rank = rankOf(marks.map((each) => each.get(id) ?? 0));
    if (rank !== undefined) ranks.set(id, rank);
  }
  for (const id of idsOf(postings, [externalRange(search)])) ranks.set(id, 0);
  for (const ranges of filters) {
    const ids = idsOf(postings, ranges);
    for (const id of ranks.keys()) if (!ids.has(id)) ranks.delete(id);
  }
  return ranks;
}

function idsOf(postings: readonly WordIds[], ranges: readonly WordRange[]): Set<number> {
  const found = postings.filter((posting) => ranges.some((range) => isWithin(range, posting)));
  return new Set(found.flatMap(({ ids }) => ids));
}

function allRanges({ search, filters }: Sought): WordRange[] {
  return [...search.words.flatMap(rangesOf), externalRange(search), ...filters.flat()];
}

/** Returns the blocks of all segments that may have words of the ranges; of all but the oldest, all ids. */
function placesOf({ segments }: SearchState, ranges: readonly WordRange[]) {
  return segments.flatMap(({ name, first }, index) => {
    const sought = index === 0 ? ranges : [...ranges, { text: EVERY.text, isWhole: true }];
    const blocks = new Set(sought.flatMap((range) => blocksFor(first, range)));
    return [...blocks].sort((a, b) => a - b).map((block) => ({ name, block }));
  });
}

/** Splits conditions: those on values of indexed fields are words, the others remain for the headers. */
function splitFilters(fields: SearchFields, where: readonly Expression[]) {
  const filters = where.map((each) => rangesOfFilter(fields, each)).filter((each) => each !== undefined);
  return {
    filters,
    residual: where.filter((each) => !isIndexed(fields, each)),
  };
}

function isIndexed(fields: SearchFields, expression: Expression): boolean {
  return rangesOfFilter(fields, expression) !== undefined;
}

function rangesOfFilter(
  fields: SearchFields,
  { paths, values, either }: Expression,
): WordRange[] | undefined {
  if (values) {
    const [field = ''] = paths;
    if (!fields.indexes.includes(field)) return undefined;
    const texts = values.map(textOf);
    if (texts.includes(null)) return undefined;
    return texts.flatMap((text) =>
      text === null ? [] : [{ text: filterWord(field, text).text, isWhole: true }],
    );
  }
  const ranges = either?.map((each) => rangesOfFilter(fields, each));
  if (!ranges || ranges.includes(undefined)) return undefined;
  return ranges.flatMap((each) => each ?? []);
}
