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
 * The indexes of what is wanted, as they were read, for each group of fields. Those of the values of one
 * field share no id.
 */
export interface Indexes {
  /** Of each instant whose days are wanted. */
  readonly days: readonly Days[];
  readonly groups: readonly (readonly ValueIndex[])[];
}

export interface ValueIndex {
  readonly value: IndexedValue;
  readonly pk: string;
  readonly index: Index;
}

/**
 * The knowledge about a list: which ids its indexes may be asked about, and the chunks that have been read.
 */
export interface IndexSnapshot {
  readonly ranges: readonly Range[];
  readonly judged: DecidedIds;
  readonly loaded: LoadedChunks;
}

/** Reads the indexes of what is wanted. One round trip. */
export async function readIndexes(place: IndexLocation, wanted: IndexQuery): Promise<Indexes> {
  const asked = wanted.groups.length > 0 ? wanted.groups.map(valuesOf) : [[ALL]];
  const values = asked.flat();
  const keys = values.map((value) => indexKey(place, value));
  const items = await getRawItems([...keys, ...wanted.days.map(({ field }) => daysKey(place, field))]);
  const indexes = values.map((value, each) => ({
    value,
    pk: chunkPartition(place, value),
    index: indexFrom(items[each]),
  }));
  return {
    days: items.slice(keys.length).map((item) => Days.safeParse(item).data ?? NO_DAYS),
    groups: asked.map((group) => indexes.filter(({ value }) => group.includes(value))),
  };
}

/** Tells whether indexes show no more of later folds than may be left out; `rollups.ts` says why. */
export function areInSnapshot({ groups }: Indexes, judged: DecidedIds): boolean {
  const { fold, upto } = judged.state;
  return groups.flat().every(({ index: { changed, before, recent, sealed } }) => {
    const isKnown = changed <= fold || (before <= fold && recent.every((id) => isDecided(judged, id)));
    return isKnown && sealed <= upto;
  });
}

/** Counts the ids in indexes. */
export function sizeOf(indexes: readonly ValueIndex[]): number {
  return indexes.reduce((sum, { index }) => sum + countOf(index), 0);
}

/** Reads off an index what it says of a list, in stretches. */
export function segmentsOf({ value, pk, index }: ValueIndex, known: IndexSnapshot): Segment[] {
  const { ranges, judged, loaded } = known;
  const doubts = uncertainRanges(judged, value);
  const isAsked = (id: number) => isInRanges(ranges, id) && !isDecided(judged, id);
  const idsAsked = (ids: readonly number[], range: Range) =>
    countShared(ranges, range) === lengthOf(range) && countShared(doubts, range) === 0
      ? ids
      : ids.filter(isAsked);
  const chunks = index.chunks.flatMap((chunk, each): Segment[] => {
    const range = { from: chunk.first, to: (index.chunks[each + 1]?.first ?? index.sealed + 1) - 1 };
    const overlap = countShared(ranges, range);
    if (overlap === 0) return [];
    const place = { pk, chunk };
    const ids = loaded.get(chunkAddressOf(place));
    if (ids) return segmentOf(idsAsked(ids, range));
    const isWhole = overlap === lengthOf(range);
    const least = isWhole ? Math.max(0, chunk.count - countShared(doubts, range)) : 0;
    return [{ ...range, least, max: chunk.count, place }];
  });
  const tail = segmentOf(index.tail).flatMap((range) => segmentOf(idsAsked(index.tail, range)));
  return [...chunks, ...tail];
}

/** Lists the chunks that hold all that some indexes say of a list. */
export function chunkLocations(indexes: readonly ValueIndex[], known: IndexSnapshot): ChunkLocation[] {
  return indexes
    .flatMap((each) => segmentsOf(each, known))
    .flatMap(({ ids, place }) => (ids || !place ? [] : [place]));
}

/** Lists the ids that some indexes put into a list, once their chunks are at hand. */
export function idsOfIndexes(indexes: readonly ValueIndex[], known: IndexSnapshot): number[] {
  return indexes.flatMap((each) => segmentsOf(each, known)).flatMap(({ ids = [] }) => ids);
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
