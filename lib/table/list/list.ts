import type { Item } from '#lib/table/client.ts';
import { all, type Expression, isSearch } from '#lib/table/expression.ts';
import { partition, type Source, sequencesKey } from '#lib/table/keys.ts';
import { instantsOf } from '#lib/table/list-index/days.ts';
import { getItem } from '#lib/table/read/get.ts';
import {
  ALL_IDS,
  idOf,
  type Range,
  type RangeRead,
  readQueryPage,
  readRange,
  readRangeInTurn,
  rowsAt,
} from '#lib/table/read/ranges.ts';
import { type ListRequest, type Page, pageSlice } from '#lib/table/read/request.ts';
import { rankOfRow } from '#lib/table/search/document.ts';
import { findByWords } from '#lib/table/search/search.ts';
import { searchFieldsOf } from '#lib/table/search/state.ts';
import { lastIdIn } from '#lib/table/sequences.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import { readIndexedPage } from './indexed-page.ts';
import { looksAtRows, readLookedPage } from './looked-page.ts';
import { order } from './order.ts';
import { barePage, type PageWithTotal } from './page.ts';

/**
 * Reads one page of a tenant's records, with the exact total. In the order of ids, with filters on indexed
 * fields or none, it costs the same at any size. A filter by ids reads only those rows. Other filters and
 * orders read every header.
 */
export async function listItems(source: Source, request: ListRequest): Promise<ListedItems> {
  const { page, pageSize } = request;
  const found = looksAtRows(request)
    ? await readLookedPage(source, request, findPage)
    : await findPage(source, request);
  return { ...found, page, pageSize };
}

/** A page of items, and all items of all pages if the request asks for them. */
export interface ListedItems extends Page<Item> {
  readonly all?: readonly Item[];
}

async function findPage(source: Source, request: ListRequest): Promise<PageWithTotal> {
  const pk = partition(source.type, source.tenant);
  return (
    (await readNamedPage(source, pk, request)) ??
    (await readSearchedPage(source, pk, request)) ??
    (await readIndexedPage(source, request)) ??
    (await scanPage(source, pk, request))
  );
}

/**
 * A partition serves 3 000 read units a second, and a header has 100 to 1 000 bytes. So this many are read in
 * 7 to 17 of a call's 29 seconds.
 */
const MAX_READ = 200_000;

/** Roughly the headers in a response of one megabyte; the rest is read concurrently. */
const FIRST = 2500;

/**
 * Reads a page of a search. Three round trips, four if other conditions than on indexed fields, or an order
 * other than by rank or id, need the headers of all found records. Undefined without a search, and if it must
 * look at all headers.
 */
async function readSearchedPage(source: Source, pk: string, request: ListRequest) {
  const { where, sort } = request;
  const search = where.find((each) => each.search)?.search;
  if (!search) return undefined;
  const found = await findByWords(
    source,
    search,
    where.filter((each) => !each.search),
  );
  if (!found) return undefined;
  const { ranks, residual } = found;
  const ids = [...ranks.keys()];
  if (residual.length === 0 && sort.field === 'id') {
    const ordered = ids.sort(sort.isDefault ? byRank(ranks) : byId(sort.descending));
    const page = pageSlice(ordered, request);
    if (request.isBare) return barePage(page, ids.length);
    return { rows: await rowsAt(pk, page), total: ids.length };
  }
  const rows = (await rowsAt(pk, ids)).filter((row) => all(residual).matches(row));
  rows.sort(sort.isDefault ? (a, b) => byRank(ranks)(idOf(a), idOf(b)) : order(sort));
  return { rows: pageSlice(rows, request), total: rows.length };
}

function byRank(ranks: ReadonlyMap<number, number>) {
  return (a: number, b: number) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0) || b - a;
}

function byId(descending: boolean) {
  return (a: number, b: number) => (descending ? b - a : a - b);
}

/** Reads a page of rows filtered by their ids. One round trip. Undefined without such a filter. */
async function readNamedPage(source: Source, pk: string, request: ListRequest) {
  const { where } = request;
  const ids = where.find(({ paths, values }) => values && paths[0] === 'id')?.values;
  if (!ids) return undefined;
  const found = await rowsAt(pk, [...new Set(ids.map(Number))]);
  const rows = found.filter((row) => all(where).matches(row)).sort(orderOf(source, request));
  return { rows: pageSlice(rows, request), total: rows.length };
}

/**
 * Reads a page under any filters, in any order. One round trip if all headers fit into 2 500 or a megabyte.
 * Otherwise reads the rest in concurrent ranges, without the attributes that the page doesn't show, and then
 * the page's rows. 422 on a filter or order without an index if the source has more records than a call can
 * read.
 */
async function scanPage(source: Source, pk: string, request: ListRequest) {
  const { type, tenant } = source;
  const { sort } = request;
  // A search is decided here: DynamoDB can't.
  const [searches, where] = [request.where.filter(isSearch), request.where.filter((each) => !isSearch(each))];
  const descending = sort.field === 'id' && sort.descending;
  const [{ items, left }, counters] = await Promise.all([
    readQueryPage(pk, ALL_IDS, { where, max: FIRST }, descending),
    getItem(sequencesKey(tenant)),
  ]);
  const last = lastIdIn(counters, type);
  requireReadable(request, source, last);
  const only = [sort.field, ...searches.flatMap(({ paths }) => paths)];
  const rest = left ? await readRest(pk, left, last, { where, only }) : [];
  const rows = [...items, ...(descending ? rest.reverse() : rest)].filter((row) =>
    all(searches).matches(row),
  );
  if (sort.field !== 'id' || searches.some(({ search }) => search)) rows.sort(orderOf(source, request));
  const pageRows = pageSlice(rows, request);
  const whole = new Set(items);
  const total = rows.length;
  if (pageRows.every((row) => whole.has(row))) return { rows: pageRows, total };
  if (request.isBare) return barePage(pageRows.map(idOf), total);
  return { rows: await rowsAt(pk, pageRows.map(idOf)), total };
}

function requireReadable({ where, sort }: ListRequest, source: Source, count: number): void {
  if (count <= MAX_READ) return;
  const { indexes = [] } = source;
  const isUnindexed = ({ values, span, paths: [path = ''] }: Expression) =>
    span ? !instantsOf(source).includes(path) : !(values && indexes.includes(path));
  const filters = where.flatMap((each) => (isUnindexed(each) ? (each.parameter ?? []) : []));
  const issues = new ValidationIssues();
  for (const path of sort.field === 'id' ? filters : [...filters, 'sort.0'])
    issues.add(path, { key: 'list.too_long_to_search', with: { max: MAX_READ } });
  issues.throwIfAny();
}

/**
 * Reads the rest in parts, up to the last id. If this tenant's counter has no ids, the last one is unknown,
 * and the rest is read sequentially.
 */
function readRest(pk: string, left: Range, last: number, reading: RangeRead): Promise<Item[]> {
  if (last === 0) return readRangeInTurn(pk, left, reading);
  return readRange(pk, { ...left, to: Math.min(left.to, last) }, reading);
}

/** Returns the order of rows: by the ranks of a search, unless the caller has named another. */
function orderOf(source: Source, { where, sort }: ListRequest) {
  const search = where.find((each) => each.search)?.search;
  const fields = searchFieldsOf(source);
  if (!search || !fields || !sort.isDefault) return order(sort);
  const ranks = new Map<Item, number>();
  const rankIn = (row: Item) => {
    const rank = ranks.get(row) ?? rankOfRow(fields, row, search) ?? 0;
    ranks.set(row, rank);
    return rank;
  };
  return (a: Item, b: Item) => rankIn(a) - rankIn(b) || idOf(b) - idOf(a);
}
