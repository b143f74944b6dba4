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

/** A list request translated for the indexes. */
export interface IndexedListRequest {
  readonly pk: string;
  readonly request: ListRequest;
  readonly query: IndexQuery;
  readonly where: Expression;
}

export interface PageWithTotal {
  readonly rows: readonly Item[];
  readonly total: number;
  /** Set if the rows have only ids. */
  readonly isBare?: true;
}

/** Returns a page of rows that have only ids. */
export function barePage(ids: readonly number[], total: number): PageWithTotal {
  return { rows: ids.map((id) => ({ id })), total, isBare: true };
}

/** Up to this many ids, reading and filtering their records is cheaper than reading other indexes. */
const FEW = 100;

/** Maximum shift of a page between two reads. */
const MAX_SLACK = 2000;

/**
 * Selects the page, loading chunks and rows until it is certain; or returns the ids for which the indexes
 * were wrong. `newer` are the ids that no index covers, in order, and `loadedRows` has loaded rows by id.
 */
export async function selectPage(
  listing: IndexedListRequest,
  indexes: Indexes,
  snapshot: IndexSnapshot,
  { newer, loadedRows }: { readonly newer: readonly number[]; readonly loadedRows: Map<number, Item> },
): Promise<PageWithTotal | { readonly wrongIds: readonly number[] }> {
  const decided = idsOutsideIndexes(snapshot);
  const base = await baseOf(listing, indexes, snapshot, loadedRows);
  const ranks = ranksOf(listing);
  for (;;) {
    const segments = [...base(), ...segmentOf(decided), ...segmentOf(newer)];
    const counted = totalOf(segments);
    const chosen = selectRanks(segments, ranks, listing.request.sort.descending);
    const places = [counted, chosen].flatMap((each) => ('needed' in each ? each.needed : []));
    const isBare = listing.request.isBare === true;
    const missing = 'ids' in chosen && !isBare ? chosen.ids.filter((id) => !loadedRows.has(id)) : [];
    const [rows] = await Promise.all([rowsAt(listing.pk, missing), loadChunks(places, snapshot.loaded)]);
    for (const row of rows) loadedRows.set(idOf(row), row);
    if ('needed' in counted || 'needed' in chosen) continue;
    if (isBare) return barePage(chosen.ids, counted.total);
    const wrongIds = chosen.ids.filter((id) => !listing.where.matches(loadedRows.get(id) ?? {}));
    if (wrongIds.length > 0) return { wrongIds };
    const pageRows = chosen.ids.map((id) => loadedRows.get(id)).filter((row) => row !== undefined);
    return { rows: pageRows, total: counted.total };
  }
}

/** Predicts the chunks of a page, from indexes that may be a little behind. */
export function predictChunks(
  listing: IndexedListRequest,
  { groups }: Indexes,
  snapshot: IndexSnapshot,
  { newer, slack }: { readonly newer: readonly number[]; readonly slack: number },
): readonly ChunkLocation[] {
  const [indexes = []] = groups;
  if (!isSingleField(listing.query)) return chunkLocations(chooseIndexes(groups), snapshot);
  const segments = [...indexes.flatMap((each) => segmentsOf(each, snapshot)), ...segmentOf(newer)];
  const { from, to } = ranksOf(listing);
  const ranks = { from: Math.max(0, from - Math.min(slack, MAX_SLACK)), to };
  const chosen = selectRanks(segments, ranks, listing.request.sort.descending);
  return [totalOf(segments), chosen].flatMap((each) => ('needed' in each ? each.needed : []));
}

/** Returns the indexed part of a list: segments for one field, the ids common to all groups for several. */
async function baseOf(
  { pk, where, query }: IndexedListRequest,
  { groups }: Indexes,
  snapshot: IndexSnapshot,
  loadedRows: Map<number, Item>,
): Promise<() => Segment[]> {
  const [indexes = []] = groups;
  if (isSingleField(query)) return () => indexes.flatMap((each) => segmentsOf(each, snapshot));
  const chosenIndexes = chooseIndexes(groups);
  await loadChunks(chunkLocations(chosenIndexes, snapshot), snapshot.loaded);
  const [first = [], ...others] = groups
    .filter((each) => each.every((index) => chosenIndexes.includes(index)))
    .map((each) => [...new Set(idsOfIndexes(each, snapshot))].sort((a, b) => a - b));
  if (others.length + 1 === groups.length) return () => segmentOf(others.reduce(common, first));
  const rows = await rowsAt(
    pk,
    first.filter((id) => !loadedRows.has(id)),
  );
  for (const row of rows) loadedRows.set(idOf(row), row);
  return () => segmentOf(first.filter((id) => where.matches(loadedRows.get(id) ?? {})));
}

/** Chooses the indexes to read from several groups: those of one group if it leaves few ids. */
function chooseIndexes(groups: readonly (readonly ValueIndex[])[]): readonly ValueIndex[] {
  const smallest = groups.toSorted((a, b) => sizeOf(a) - sizeOf(b))[0] ?? [];
  return sizeOf(smallest) <= FEW ? smallest : groups.flat();
}

/** Returns the ids of the list up to `upto` that are decided without the indexes. */
function idsOutsideIndexes({ decided: { belongs } }: IndexSnapshot): number[] {
  return [...belongs].flatMap(([id, isIn]) => (isIn ? [id] : [])).sort((a, b) => a - b);
}

function ranksOf({ request: { page, pageSize } }: IndexedListRequest): Ranks {
  return { from: (page - 1) * pageSize, to: page * pageSize };
}

function common(a: readonly number[], b: readonly number[]): number[] {
  const others = new Set(b);
  return a.filter((id) => others.has(id));
}
