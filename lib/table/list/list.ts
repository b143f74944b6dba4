import type { Item } from '#lib/table/client.ts';
import { all, type Expression } from '#lib/table/expression.ts';
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
import { lastIdIn } from '#lib/table/sequences.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import { readIndexedPage } from './indexed-page.ts';

/**
 * Reads one page of a home's records, with the exact total. In the order of ids, with filters on indexed
 * fields or none, it costs the same at any size. Rows named by their ids are read alone. Other filters and
 * orders read every header.
 */
export async function listItems(source: Source, request: ListRequest): Promise<Page<Item>> {
  const { page, pageSize } = request;
  const pk = partition(source.type, source.tenant);
  const found =
    (await readNamedPage(pk, request)) ??
    (await readIndexedPage(source, request)) ??
    (await scanPage(source, pk, request));
  return { ...found, page, pageSize };
}

/**
 * A partition gives 3 000 read units a second, and a header is 100 to 1 000 bytes. So this many are read in 7
 * to 17 of the 29 seconds that a call has.
 */
const MAX_READ = 200_000;

/** Enough headers to fill an answer of a megabyte, or nearly; the rest is read in parallel. */
const FIRST = 2500;

// Made once: `localeCompare` looks up its rules for every pair, which takes most of the time for 100 000
// texts.
const texts = new Intl.Collator();

/** Reads a page of rows that are named by their ids. One round trip. Undefined if no filter names any. */
async function readNamedPage(pk: string, request: ListRequest) {
  const { where, sort } = request;
  const ids = where.find(({ paths, values }) => values && paths[0] === 'id')?.values;
  if (!ids) return undefined;
  const found = await rowsAt(pk, [...new Set(ids.map(Number))]);
  const rows = found.filter((row) => all(where).matches(row)).sort(order(sort));
  return { rows: pageSlice(rows, request), total: rows.length };
}

/**
 * Reads a page under any filters, in any order. One round trip if all headers fit into 2 500 or a megabyte.
 * Otherwise the rest is read in parallel stretches, without the attributes that the page doesn't show, and
 * then the page's rows. 422 on a filter or order without an index if there are more records than a call can
 * read.
 */
async function scanPage(source: Source, pk: string, request: ListRequest) {
  const { type, tenant } = source;
  const { where, sort } = request;
  const descending = sort.field === 'id' && sort.descending;
  const [{ items, left }, counters] = await Promise.all([
    readQueryPage(pk, ALL_IDS, { where, max: FIRST }, descending),
    getItem(sequencesKey(tenant)),
  ]);
  const last = lastIdIn(counters, type);
  requireReadable(request, source, last);
  const rest = left ? await readRest(pk, left, last, { where, only: [sort.field] }) : [];
  const rows = [...items, ...(descending ? rest.reverse() : rest)];
  if (sort.field !== 'id') rows.sort(order(sort));
  const shown = pageSlice(rows, request);
  const whole = new Set(items);
  if (request.isBare || shown.every((row) => whole.has(row))) return { rows: shown, total: rows.length };
  return { rows: await rowsAt(pk, shown.map(idOf)), total: rows.length };
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
 * Reads the rest in parts, up to the last id. If none was drawn in this home, that id is unknown, and it is
 * read in one go.
 */
function readRest(pk: string, left: Range, last: number, reading: RangeRead): Promise<Item[]> {
  if (last === 0) return readRangeInTurn(pk, left, reading);
  return readRange(pk, { ...left, to: Math.min(left.to, last) }, reading);
}

function order({ field, descending }: ListRequest['sort']) {
  const sign = descending ? -1 : 1;
  return (a: Item, b: Item) => sign * (compare(a[field], b[field]) || compare(a['id'], b['id']));
}

function compare(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return texts.compare(String(a), String(b));
}
