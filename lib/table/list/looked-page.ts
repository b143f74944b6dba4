import type { Item } from '#lib/table/client.ts';
import { all, type Expression, type Look } from '#lib/table/expression.ts';
import { partition, type Source } from '#lib/table/keys.ts';
import { idOf, rowsAt } from '#lib/table/read/ranges.ts';
import { type ListRequest, pageSlice } from '#lib/table/read/request.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import { order } from './order.ts';
import type { PageWithTotal } from './page.ts';

/*
 * Filters, orders and totals that no index answers look at the rows that the other filters leave. Part 5,
 * 5B.7, 4.
 */

/** Rows that a list looks at; a condition that reads more than the rows has a bound of its own. */
export const MAX_LOOKED = 20_000;

/** A condition that looks at rows. */
type Looking = Expression & { readonly look: Look };

/** Returns true if a list can't be answered from indexes alone. */
export function looksAtRows({ where, sort, hasAll = false }: ListRequest): boolean {
  return hasAll || sort.looks === true || where.some(isLooking);
}

/**
 * Reads a page by looking at the rows that the other filters leave, each once, and returns all rows if the
 * request asks for them: page, total and totals are of the same rows. The ids of those rows are `find`'s, in
 * its round trips; without indexes these are the rows. One round trip more for the rows, at a read unit for
 * each, or for each four kilobytes if their ids are dense: at most 20 000 units. 422 on what looks at too
 * many, before any row is read.
 */
export async function readLookedPage(
  source: Source,
  request: ListRequest,
  find: (source: Source, request: ListRequest) => Promise<PageWithTotal>,
): Promise<PageWithTotal & { readonly all?: readonly Item[] }> {
  const looking = request.where.filter(isLooking);
  const plain = request.where.filter((each) => !isLooking(each));
  const [narrow, wide] = [looking.filter(isNarrow), looking.filter((each) => !isNarrow(each))];
  const left = await find(source, { ...FIRST_ROWS, where: plain });
  requireFew(left.total, [...(wide.length > 0 ? wide : narrow).map(limitOf), ...limitsBeside(request)]);
  const read = left.isBare
    ? await rowsAt(partition(source.type, source.tenant), left.rows.map(idOf))
    : left.rows;
  // A row may have changed since its id was found.
  let rows: readonly Item[] = read.filter(all([...plain, ...wide]).matches);
  requireFew(rows.length, narrow.map(limitOf));
  for (const { look, matches } of narrow)
    rows = look.choose ? await look.choose(source.tenant, rows) : rows.filter(matches);
  const inOrder = [...rows].sort(order(request.sort));
  return {
    rows: pageSlice(inOrder, request),
    total: rows.length,
    ...(request.hasAll && { all: inOrder }),
  };
}

const FIRST_ROWS = {
  sort: { field: 'id', descending: false },
  page: 1,
  pageSize: MAX_LOOKED,
  isBare: true,
};

function isLooking(each: Expression): each is Looking {
  return each.look !== undefined;
}

/** Returns true for a condition that looks at fewer rows: it is decided after the others. */
function isNarrow({ look }: Looking): boolean {
  return look.max < MAX_LOOKED;
}

/** Number of rows that a parameter may look at. */
interface Limit {
  readonly parameter: string;
  readonly max: number;
}

function limitOf({ look: { max }, parameter = 'filter' }: Looking): Limit {
  return { parameter, max };
}

/** Returns the limits of an order and of totals. */
function limitsBeside({ sort, hasAll }: ListRequest): Limit[] {
  return [
    ...(sort.looks ? [{ parameter: 'sort.0', max: MAX_LOOKED }] : []),
    ...(hasAll ? [{ parameter: 'totals', max: MAX_LOOKED }] : []),
  ];
}

function requireFew(count: number, limits: readonly Limit[]): void {
  const issues = new ValidationIssues();
  for (const { parameter, max } of limits)
    if (count > max) issues.add(parameter, { key: 'list.too_long_to_search', with: { max } });
  issues.throwIfAny();
}
