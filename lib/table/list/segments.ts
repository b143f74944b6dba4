import type { ChunkLocation } from '#lib/table/list-index/store.ts';
import type { Range } from '#lib/table/read/ranges.ts';

/**
 * A segment of a list: the ids in a range, either loaded, or only with bounds on their number. The segments
 * of a list may overlap, but no id is in two of them.
 */
export interface Segment extends Range {
  readonly least: number;
  readonly max: number;
  readonly ids?: readonly number[];
  /** The chunk of its ids, if they are not loaded. */
  readonly place?: ChunkLocation;
}

/** Positions in a list, from its beginning: `from` inclusive, `to` exclusive. */
export interface Ranks {
  readonly from: number;
  readonly to: number;
}

/** Ids of a list, or the chunks needed to determine them. */
type Chosen = { readonly ids: readonly number[] } | { readonly needed: readonly ChunkLocation[] };

/** Returns a segment of loaded ids, in ascending order; none if the list is empty. */
export function segmentOf(ids: readonly number[]): Segment[] {
  const [from, to] = [ids[0], ids.at(-1)];
  return from === undefined || to === undefined
    ? []
    : [{ from, to, least: ids.length, max: ids.length, ids }];
}

/** Counts the ids, or returns the chunks needed first. */
export function totalOf(
  segments: readonly Segment[],
): { readonly total: number } | { readonly needed: readonly ChunkLocation[] } {
  const needed = segments.flatMap(({ least, max, place }) => (least < max && place ? [place] : []));
  return needed.length > 0 ? { needed } : { total: segments.reduce((sum, { max }) => sum + max, 0) };
}

/** Selects the ids at some positions of a list, counted from its beginning, or from its end. */
export function selectRanks(segments: readonly Segment[], ranks: Ranks, descending: boolean): Chosen {
  return chooseFrom(descending ? segments.map(mirror) : segments, ranks, descending ? -1 : 1);
}

/**
 * The beginning of a list: -1 at its last id. Then segments and bounds are mirrored, but not the loaded ids,
 * of which a page has few.
 */
type End = 1 | -1;

/**
 * Finds two ids that enclose the positions for certain. At most as many ids precede the first as precede the
 * first position, and at least as many precede the second as precede the last position. Segments in between
 * must be loaded.
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

/** Bounds of ids in the order of the list: `low` inclusive, `high` exclusive. */
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

/** Merges the ids of segments, which may overlap, in order. */
function inOrder(lists: readonly (readonly number[])[]): readonly number[] {
  const [first = [], ...others] = lists.filter((ids) => ids.length > 0);
  return others.length === 0 ? first : [...first, ...others.flat()].sort((a, b) => a - b);
}

function sliceFromEnd(ids: readonly number[], { from, to }: Ranks): number[] {
  return ids.slice(Math.max(0, ids.length - to), Math.max(0, ids.length - from)).reverse();
}

/** Returns the index of the first value for which a monotonic predicate holds; the length if for none. */
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
