import { getRawItems } from '#lib/table/items.ts';
import { Days, NO_DAYS } from '#lib/table/list-index/days.ts';
import { countOf, type Index, indexFrom } from '#lib/table/list-index/manifest.ts';
import { type ChunkLocation, chunkAddressOf, type LoadedChunks } from '#lib/table/list-index/store.ts';
import {
  ALL,
  chunkPartition,
  daysKey,
  type IndexedValue,
  type IndexLocation,
  indexKey,
} from '#lib/table/list-index/value.ts';
import type { Range } from '#lib/table/read/ranges.ts';
import {
  type DecidedIds,
  type IndexQuery,
  isDecided,
  isInRanges,
  uncertainRanges,
  valuesOf,
} from './index-query.ts';
import { type Segment, segmentOf } from './segments.ts';

/**
 * The indexes of a query as they were read, for each group of fields. Indexes of different values of one
 * field share no id.
 */
export interface Indexes {
  /** For each queried instant. */
  readonly days: readonly Days[];
  readonly groups: readonly (readonly ValueIndex[])[];
}

export interface ValueIndex {
  readonly value: IndexedValue;
  readonly pk: string;
  readonly index: Index;
}

/**
 * The indexed part of a list: the ranges of ids in question, the ids decided without the indexes, and the
 * loaded chunks.
 */
export interface IndexSnapshot {
  readonly ranges: readonly Range[];
  readonly decided: DecidedIds;
  readonly loaded: LoadedChunks;
}

/** Reads the indexes of a query. One round trip. */
export async function readIndexes(place: IndexLocation, query: IndexQuery): Promise<Indexes> {
  const queriedGroups = query.groups.length > 0 ? query.groups.map(valuesOf) : [[ALL]];
  const values = queriedGroups.flat();
  const keys = values.map((value) => indexKey(place, value));
  const items = await getRawItems([...keys, ...query.days.map(({ field }) => daysKey(place, field))]);
  const indexes = values.map((value, each) => ({
    value,
    pk: chunkPartition(place, value),
    index: indexFrom(items[each]),
  }));
  return {
    days: items.slice(keys.length).map((item) => Days.safeParse(item).data ?? NO_DAYS),
    groups: queriedGroups.map((group) => indexes.filter(({ value }) => group.includes(value))),
  };
}

/**
 * Returns true if indexes contain no more of later updates than the reader may ignore. Proof:
 * `update/update.ts`.
 */
export function areInSnapshot({ groups }: Indexes, decided: DecidedIds): boolean {
  const { fold, upto } = decided.state;
  return groups.flat().every(({ index: { changed, before, recent, sealed } }) => {
    const isCovered = changed <= fold || (before <= fold && recent.every((id) => isDecided(decided, id)));
    return isCovered && sealed <= upto;
  });
}

/** Counts the ids in indexes. */
export function sizeOf(indexes: readonly ValueIndex[]): number {
  return indexes.reduce((sum, { index }) => sum + countOf(index), 0);
}

/** Returns an index's part of a list, in segments. */
export function segmentsOf({ value, pk, index }: ValueIndex, snapshot: IndexSnapshot): Segment[] {
  const { ranges, decided, loaded } = snapshot;
  const uncertain = uncertainRanges(decided, value);
  const isInQuestion = (id: number) => isInRanges(ranges, id) && !isDecided(decided, id);
  const idsInQuestion = (ids: readonly number[], range: Range) =>
    countShared(ranges, range) === lengthOf(range) && countShared(uncertain, range) === 0
      ? ids
      : ids.filter(isInQuestion);
  const chunks = index.chunks.flatMap((chunk, each): Segment[] => {
    const range = { from: chunk.first, to: (index.chunks[each + 1]?.first ?? index.sealed + 1) - 1 };
    const overlap = countShared(ranges, range);
    if (overlap === 0) return [];
    const place = { pk, chunk };
    const ids = loaded.get(chunkAddressOf(place));
    if (ids) return segmentOf(idsInQuestion(ids, range));
    const isWhole = overlap === lengthOf(range);
    const least = isWhole ? Math.max(0, chunk.count - countShared(uncertain, range)) : 0;
    return [{ ...range, least, max: chunk.count, place }];
  });
  const tail = segmentOf(index.tail).flatMap((range) => segmentOf(idsInQuestion(index.tail, range)));
  return [...chunks, ...tail];
}

/** Returns the chunks to load for some indexes' part of a list. */
export function chunkLocations(indexes: readonly ValueIndex[], snapshot: IndexSnapshot): ChunkLocation[] {
  return indexes
    .flatMap((each) => segmentsOf(each, snapshot))
    .flatMap(({ ids, place }) => (ids || !place ? [] : [place]));
}

/** Returns the ids of some indexes' part of a list, once their chunks are loaded. */
export function idsOfIndexes(indexes: readonly ValueIndex[], snapshot: IndexSnapshot): number[] {
  return indexes.flatMap((each) => segmentsOf(each, snapshot)).flatMap(({ ids = [] }) => ids);
}

function lengthOf({ from, to }: Range): number {
  return to - from + 1;
}

function countShared(ranges: readonly Range[], { from, to }: Range): number {
  return ranges.reduce(
    (sum, range) => sum + Math.max(0, Math.min(range.to, to) - Math.max(range.from, from) + 1),
    0,
  );
}
