import type { Item } from '#lib/table/client.ts';
import type { Expression } from '#lib/table/expression.ts';
import { type ChunkLocation, loadChunks } from '#lib/table/list-index/store.ts';
import { idOf, rowsAt } from '#lib/table/read/ranges.ts';
import type { ListRequest } from '#lib/table/read/request.ts';
import { type IndexQuery, isSingleField } from './index-query.ts';
import {
  chunkLocations,
  type Indexes,
  type IndexSnapshot,
  idsOfIndexes,
  segmentsOf,
  sizeOf,
  type ValueIndex,
} from './index-snapshot.ts';
import { type Ranks, type Segment, segmentOf, selectRanks, totalOf } from './segments.ts';

/** A list that is asked for. */
export interface IndexedListRequest {
  readonly pk: string;
  readonly request: ListRequest;
  readonly wanted: IndexQuery;
  readonly where: Expression;
}

/** A page and its total. */
export interface PageWithTotal {
  readonly rows: readonly Item[];
  readonly total: number;
}

/** Up to this many ids their records are read and filtered, instead of other indexes. */
const FEW = 100;

/** Between two readings a page moves by no more than this. */
const MAX_SLACK = 2000;

/**
 * Chooses the page, once everything is read that it may be judged by; or answers with ids that the indexes
 * were wrong about. `newer` are the ids that no index knows of, in order, and `hand` has records that were
 * read.
 */
export async function selectPage(
  listing: IndexedListRequest,
  indexes: Indexes,
  known: IndexSnapshot,
  { newer, hand }: { readonly newer: readonly number[]; readonly hand: Map<number, Item> },
): Promise<PageWithTotal | { readonly wrongIds: readonly number[] }> {
  const late = lateIds(known);
  const base = await baseOf(listing, indexes, known, hand);
  const ranks = ranksOf(listing);
  for (;;) {
    const segments = [...base(), ...segmentOf(late), ...segmentOf(newer)];
    const counted = totalOf(segments);
    const chosen = selectRanks(segments, ranks, listing.request.sort.descending);
    const places = [counted, chosen].flatMap((each) => ('needed' in each ? each.needed : []));
    const isBare = listing.request.isBare === true;
    const missing = 'ids' in chosen && !isBare ? chosen.ids.filter((id) => !hand.has(id)) : [];
    const [rows] = await Promise.all([rowsAt(listing.pk, missing), loadChunks(places, known.loaded)]);
    for (const row of rows) hand.set(idOf(row), row);
    if ('needed' in counted || 'needed' in chosen) continue;
    if (isBare) return { rows: chosen.ids.map((id) => ({ id })), total: counted.total };
    const wrongIds = chosen.ids.filter((id) => !listing.where.matches(hand.get(id) ?? {}));
    if (wrongIds.length > 0) return { wrongIds };
    const shown = chosen.ids.map((id) => hand.get(id)).filter((row) => row !== undefined);
    return { rows: shown, total: counted.total };
  }
}

/** Guesses the chunks that a page will ask for, from indexes that may be a little behind. */
export function predictChunks(
  listing: IndexedListRequest,
  { groups }: Indexes,
  known: IndexSnapshot,
  { newer, slack }: { readonly newer: readonly number[]; readonly slack: number },
): readonly ChunkLocation[] {
  const [indexes = []] = groups;
  if (!isSingleField(listing.wanted)) return chunkLocations(chooseIndexes(groups), known);
  const segments = [...indexes.flatMap((each) => segmentsOf(each, known)), ...segmentOf(newer)];
  const { from, to } = ranksOf(listing);
  const ranks = { from: Math.max(0, from - Math.min(slack, MAX_SLACK)), to };
  const chosen = selectRanks(segments, ranks, listing.request.sort.descending);
  return [totalOf(segments), chosen].flatMap((each) => ('needed' in each ? each.needed : []));
}

/**
 * Reads off the indexes what a list holds: of one field in stretches, of several as the ids that all groups
 * have.
 */
async function baseOf(
  { pk, where, wanted }: IndexedListRequest,
  { groups }: Indexes,
  known: IndexSnapshot,
  hand: Map<number, Item>,
): Promise<() => Segment[]> {
  const [indexes = []] = groups;
  if (isSingleField(wanted)) return () => indexes.flatMap((each) => segmentsOf(each, known));
  const asked = chooseIndexes(groups);
  await loadChunks(chunkLocations(asked, known), known.loaded);
  const [first = [], ...others] = groups
    .filter((each) => each.every((index) => asked.includes(index)))
    .map((each) => [...new Set(idsOfIndexes(each, known))].sort((a, b) => a - b));
  if (others.length + 1 === groups.length) return () => segmentOf(others.reduce(common, first));
  const rows = await rowsAt(
    pk,
    first.filter((id) => !hand.has(id)),
  );
  for (const row of rows) hand.set(idOf(row), row);
  return () => segmentOf(first.filter((id) => where.matches(hand.get(id) ?? {})));
}

/** Chooses which of several groups' indexes are looked into: those of one group if it leaves few ids. */
function chooseIndexes(groups: readonly (readonly ValueIndex[])[]): readonly ValueIndex[] {
  const smallest = groups.toSorted((a, b) => sizeOf(a) - sizeOf(b))[0] ?? [];
  return sizeOf(smallest) <= FEW ? smallest : groups.flat();
}

/** Lists the ids that were folded in, belong to the list, and are judged without the indexes. */
function lateIds({ judged: { belongs } }: IndexSnapshot): number[] {
  return [...belongs].flatMap(([id, isIn]) => (isIn ? [id] : [])).sort((a, b) => a - b);
}

function ranksOf({ request: { page, pageSize } }: IndexedListRequest): Ranks {
  return { from: (page - 1) * pageSize, to: page * pageSize };
}

function common(a: readonly number[], b: readonly number[]): number[] {
  const others = new Set(b);
  return a.filter((id) => others.has(id));
}
