import type { ChunkLocation } from '#lib/table/list-index/store.ts';
import type { Range } from '#lib/table/read/ranges.ts';

/**
 * A stretch of a list: the ids between two others, either all at hand, or only how many there are at least
 * and at most. The stretches of a list may overlap, but no id is in two of them.
 */
export interface Segment extends Range {
  readonly least: number;
  readonly max: number;
  readonly ids?: readonly number[];
  /** The place of its ids, if they are not at hand. */
  readonly place?: ChunkLocation;
}

/** Places in a list, counted from its beginning: `from` included, `to` not. */
export interface Ranks {
  readonly from: number;
  readonly to: number;
}

/** Ids of a list, or what must be read to tell them. */
type Chosen = { readonly ids: readonly number[] } | { readonly needed: readonly ChunkLocation[] };

/** Makes a stretch of ids that are at hand, in ascending order; none if there are none. */
export function segmentOf(ids: readonly number[]): Segment[] {
  const [from, to] = [ids[0], ids.at(-1)];
  return from === undefined || to === undefined
    ? []
    : [{ from, to, least: ids.length, max: ids.length, ids }];
}

/** Counts the ids, or tells what must be read first. */
export function totalOf(
  segments: readonly Segment[],
): { readonly total: number } | { readonly needed: readonly ChunkLocation[] } {
  const needed = segments.flatMap(({ least, max, place }) => (least < max && place ? [place] : []));
  return needed.length > 0 ? { needed } : { total: segments.reduce((sum, { max }) => sum + max, 0) };
}

/** Chooses the ids at some places of a list, counted from its beginning, or from its end. */
export function selectRanks(segments: readonly Segment[], ranks: Ranks, descending: boolean): Chosen {
  return chooseFrom(descending ? segments.map(mirror) : segments, ranks, descending ? -1 : 1);
}

/**
 * The side on which a list begins: -1 if with its last id. Then stretches and bounds are mirrored, but not
 * the ids at hand, of which a page takes few.
 */
type End = 1 | -1;

/**
 * Finds two ids that the places are surely between. Before the one there are at most as many ids as before
 * the first place, before the other at least as many as before the last one. What lies between must be at
 * hand.
 */
function chooseFrom(segments: readonly Segment[], { from, to }: Ranks, end: End): Chosen {
  const bounds = [...new Set(segments.map((segment) => segment.from))].sort((a, b) => a - b);
  const after = firstWhere(bounds, (bound) => before(segments, bound, end).max > from);
  const low = bounds[after - 1] ?? Number.NEGATIVE_INFINITY;
  const last = firstWhere(bounds, (bound) => before(segments, bound, end).least >= to);
  const high = bounds[last] ?? Number.POSITIVE_INFINITY;
  const between = segments.filter((segment) => segment.to >= low && segment.from < high);
  const unsure = segments.filter((segment) => segment.to < low && segment.least < segment.max);
  const needed = [...between, ...unsure].flatMap(({ ids, place }) => (ids || !place ? [] : [place]));
  if (needed.length > 0) return { needed };
  const start = before(segments, low, end).max;
  const ids = inOrder(between.map((segment) => idsBetween(segment.ids ?? [], { low, high }, end)));
  const ranks = { from: Math.max(0, from - start), to: Math.max(0, to - start) };
  return { ids: end === 1 ? ids.slice(ranks.from, ranks.to) : sliceFromEnd(ids, ranks) };
}

/** Counts the ids before one, at least and at most. */
function before(segments: readonly Segment[], bound: number, end: End): { least: number; max: number } {
  let [least, max] = [0, 0];
  for (const segment of segments) {
    if (segment.from >= bound) continue;
    if (segment.to < bound) {
      least += segment.least;
      max += segment.max;
    } else if (segment.ids) {
      const { from, to } = ranksBetween(segment.ids, { low: Number.NEGATIVE_INFINITY, high: bound }, end);
      least += to - from;
      max += to - from;
    } else {
      max += segment.max;
    }
  }
  return { least, max };
}

/** Bounds of ids as an end sees them: `low` included, `high` not. */
interface Bounds {
  readonly low: number;
  readonly high: number;
}

function idsBetween(ids: readonly number[], bounds: Bounds, end: End): number[] {
  const { from, to } = ranksBetween(ids, bounds, end);
  return ids.slice(from, to);
}

function ranksBetween(ids: readonly number[], { low, high }: Bounds, end: End): Ranks {
  const [first, beyond] = end === 1 ? [low, high] : [1 - high, 1 - low];
  return { from: firstWhere(ids, (id) => id >= first), to: firstWhere(ids, (id) => id >= beyond) };
}

/** Puts ids of stretches, which may overlap, into one order. */
function inOrder(stretches: readonly (readonly number[])[]): readonly number[] {
  const [first = [], ...others] = stretches.filter((ids) => ids.length > 0);
  return others.length === 0 ? first : [...first, ...others.flat()].sort((a, b) => a - b);
}

function sliceFromEnd(ids: readonly number[], { from, to }: Ranks): number[] {
  return ids.slice(Math.max(0, ids.length - to), Math.max(0, ids.length - from)).reverse();
}

/**
 * Finds the first value for which something holds that also holds for all after it; their number if for none.
 */
function firstWhere(values: readonly number[], holds: (value: number) => boolean): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const value = values[middle];
    if (value === undefined || holds(value)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function mirror(segment: Segment): Segment {
  return { ...segment, from: -segment.to, to: -segment.from };
}
