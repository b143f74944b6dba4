import { equals, oneOf, within } from '#lib/table/expression.ts';
import type { Source } from '#lib/table/keys.ts';
import { listItems } from '#lib/table/list/list.ts';
import type { ListRequest, Page } from '#lib/table/read/request.ts';
import { newMeter, roundTripsOf, runInContext, unitsOf } from '#lib/table/request-context.ts';
import { dayOf, startOfDay } from '#lib/values/time.ts';

/** Cost of a page of a list: the median of several repeated reads; under load the largest of several. */
export interface ListFigure {
  readonly sales: number;
  readonly list: string;
  readonly page: string;
  readonly round_trips: number;
  readonly capacity_units: number;
  readonly ms: number;
}

/** A query of a list. */
export type ListKind = readonly [name: string, request: Partial<Pick<ListRequest, 'where' | 'sort'>>];

const PAGE_SIZE = 20;
const NEWEST = { field: 'id', descending: true };

/**
 * More units than any page of an indexed list takes, of a million records too; a scan of a thousand headers
 * takes more.
 */
const MAX_UNITS = 150;

/** Lists the queries with an index. */
export function kinds(): ListKind[] {
  const today = within('created_at', startOfDay(dayOf(Date.now())), Number.MAX_SAFE_INTEGER);
  const month = within(
    'created_at',
    startOfDay(dayOf(Date.now() - 30 * 86_400_000)),
    Number.MAX_SAFE_INTEGER,
  );
  const desks = oneOf('cashbox_id', [1, 2, 5]);
  return [
    ['all', {}],
    ['today', { where: [today] }],
    ['of thirty days', { where: [month] }],
    ['of a client', { where: [equals('client_id', 7)] }],
    ['of three desks', { where: [desks] }],
    ['deleted', { where: [equals('is_deleted', true)] }],
    ['not deleted', { where: [equals('is_deleted', false)] }],
    ['of a status', { where: [equals('status', 'full_returned')] }],
    ['of three desks, of a status', { where: [desks, equals('status', 'full_returned')] }],
    ['of three desks, today', { where: [desks, today] }],
  ];
}

/** Lists the pages to read of a list. */
export function pagesOf(total: number): readonly (readonly [name: string, number: number])[] {
  const last = Math.max(1, Math.ceil(total / PAGE_SIZE));
  return [
    ['1', 1],
    ['middle', Math.ceil(last / 2)],
    ['last', last],
  ];
}

/** Reads a page of a list. Throws unless it has the expected rows. */
export async function measurePage(source: Source, given: ListKind[1], page: number) {
  const meter = newMeter();
  const began = performance.now();
  const request = { where: [], sort: NEWEST, ...given, page, pageSize: PAGE_SIZE };
  const result: Page<unknown> = await runInContext({ meter }, () => listItems(source, request));
  const ms = Math.round((performance.now() - began) * 10) / 10;
  const rows = Math.max(0, Math.min(PAGE_SIZE, result.total - (page - 1) * PAGE_SIZE));
  if (result.rows.length !== rows || result.total === 0) {
    throw new Error(`Page ${page} has ${result.rows.length} rows of ${result.total}`);
  }
  return { result, cost: { ...pageCost(meter), ms } };
}

/** Reads a page of an indexed list. Throws if all records were scanned instead. */
export async function measureIndexedPage(source: Source, given: ListKind[1], page: number) {
  const measured = await measurePage(source, given, page);
  const { capacity_units } = measured.cost;
  if (capacity_units > MAX_UNITS) throw new Error(`Page ${page} took ${capacity_units} units: no index`);
  return measured;
}

/** Returns the cost of a page from a meter. */
export function pageCost(meter: ReturnType<typeof newMeter>) {
  return { round_trips: roundTripsOf(meter), capacity_units: unitsOf(meter) };
}
