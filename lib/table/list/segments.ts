import type { ChunkPlace } from '#lib/table/list-index/store.ts';
import type { Range } from '#lib/table/read/ranges.ts';

/**
 * A stretch of a list: the ids between two others, either all at hand, or only how many there are at least
 * and at most. The stretches of a list may overlap, but no id is in two of them.
 */
export interface Segment extends Range {
  readonly least: number;
  readonly most: number;
  readonly ids?: readonly number[];
  /** The place of its ids, if they are not at hand. */
  readonly place?: ChunkPlace;
}

/** Places in a list, counted from its beginning: `from` included, `to` not. */
export interface Ranks {
  readonly from: number;
  readonly to: number;
}

/** Ids of a list, or what must be read to tell them. */
type Chosen = { readonly ids: readonly number[] } | { readonly needed: readonly ChunkPlace[] };

/** Makes a stretch of ids that are at hand, in ascending order; none if there are none. */
export function segmentOf(ids: readonly number[]): Segment[] {
  const [from, to] = [ids[0], ids.at(-1)];
  return from === undefined || to === undefined
    ? []
    : [{ from, to, least: ids.length, most: ids.length, ids }];
}

/** Counts the ids, or tells what must be read first. */
export function totalOf(
  segments: readonly Segment[],
): { readonly total: number } | { readonly needed: readonly ChunkPlace[] } {
  const needed = segments.flatMap(({ least, most, place }) => (least < most && place ? [place] : []));
  return needed.length > 0 ? { needed } : { total: segments.reduce((sum, { most }) => sum + most, 0) };
}

/** Chooses the ids at some places of a list, counted from its beginning, or from its end. */
export function choose(segments: readonly Segment[], ranks: Ranks, descending: boolean): Chosen {
  const chosen = chooseAscending(descending ? segments.map(mirror) : segments, ranks);
  return descending && 'ids' in chosen ? { ids: chosen.ids.map((id) => -id) } : chosen;
}

/**
 * Finds two ids that the places are surely between. Before the one there are at most as many ids as before
 * the first place, before the other at least as many as before the last one. What lies between must be at
 * hand.
 */
function chooseAscending(segments: readonly Segment[], { from, to }: Ranks): Chosen {
  const bounds = [...new Set(segments.map((segment) => segment.from))].sort((a, b) => a - b);
  const after = firstWhere(bounds, (bound) => before(segments, bound).most > from);
  const low = bounds[after - 1] ?? Number.NEGATIVE_INFINITY;
  const end = firstWhere(bounds, (bound) => before(segments, bound).least >= to);
  const high = bounds[end] ?? Number.POSITIVE_INFINITY;
  const between = segments.filter((segment) => segment.to >= low && segment.from < high);
  const unsure = segments.filter((segment) => segment.to < low && segment.least < segment.most);
  const needed = [...between, ...unsure].flatMap(({ ids, place }) => (ids || !place ? [] : [place]));
  if (needed.length > 0) return { needed };
  const start = before(segments, low).most;
  const ids = between
    .flatMap((segment) => segment.ids ?? [])
    .filter((id) => low <= id && id < high)
    .sort((a, b) => a - b);
  return { ids: ids.slice(Math.max(0, from - start), Math.max(0, to - start)) };
}

/** Counts the ids before one, at least and at most. */
function before(segments: readonly Segment[], bound: number): { least: number; most: number } {
  let [least, most] = [0, 0];
  for (const segment of segments) {
    if (segment.from >= bound) continue;
    if (segment.to < bound) {
      least += segment.least;
      most += segment.most;
    } else if (segment.ids) {
      const count = countBelow(segment.ids, bound);
      least += count;
      most += count;
    } else {
      most += segment.most;
    }
  }
  return { least, most };
}

function countBelow(ids: readonly number[], bound: number): number {
  return firstWhere(ids, (id) => id >= bound);
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
  const ends = { from: -segment.to, to: -segment.from };
  return { ...segment, ...ends, ...(segment.ids && { ids: segment.ids.map((id) => -id).reverse() }) };
}
