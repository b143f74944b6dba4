import * as z from 'zod';
import { type Expression, equals } from '#lib/table/expression.ts';
import { ALL_ROWS, type ListRequest } from '#lib/table/read/request.ts';
import { type Embed, type Embeds, linesEmbed } from './embeds.ts';
import {
  DEFAULT_PAGE_SIZE,
  type Filters,
  Format,
  filterOf,
  isDefaultSort,
  type ListOptions,
  pageParameters,
  parametersOf,
  Show,
  withParameter,
} from './filters.ts';
import { type Totaled, totalsParameter, withTotals } from './totals.ts';

/** A parsed list query. */
export interface ListQuery extends ListRequest {
  readonly embeds: readonly Embed[];
  /** Amounts to add up, if totals are requested. */
  readonly totals?: Totaled;
}

/** Query of a list that is also available as a workbook. */
export interface DocumentQuery extends ListQuery {
  readonly format: z.output<typeof Format>;
}

/**
 * Returns the schema of a list's query string. Contract 1, "Unknown filter". 422 on the parameter for an
 * unknown name.
 */
export function listQuery(filters: Filters | undefined, offer: ListOptions) {
  return z
    .strictObject({ ...parametersOf(filters, offer), show: Show })
    .transform((query) => recordRequest(query, offer));
}

/** Returns the same with `format`, for records that are also available as a workbook. */
export function workbookQuery(filters: Filters | undefined, offer: ListOptions) {
  return z
    .strictObject({ ...parametersOf(filters, offer), show: Show, format: Format })
    .transform((query): DocumentQuery => ({ ...recordRequest(query, offer), format: query.format }));
}

/** Returns the same without `show[]`, for records that are never deleted. */
export function plainQuery(filters: Filters | undefined, offer: ListOptions) {
  return z.strictObject(parametersOf(filters, offer)).transform((query) => requestOf(query, offer));
}

/**
 * Returns the same for a list of documents, with `format`: the workbook is defined by the `sheet` of its
 * endpoint. 422 on `page-size` for a long page with lines.
 */
export function documentQuery(filters: Filters | undefined, offer: ListOptions) {
  const query = z
    .strictObject({
      ...parametersOf(filters, offer),
      format: Format,
      totals: totalsParameter(offer.totals),
    })
    .superRefine(checkPageWithLines)
    .transform(
      (query): DocumentQuery => ({
        ...requestOf(query, offer),
        format: query.format,
        ...(query.totals && offer.totals && { totals: offer.totals }),
      }),
    );
  return withTotals(query, offer.totals);
}

function checkPageWithLines(query: Parameters, context: z.RefinementCtx): void {
  const { with: requested, 'page-size': input } = query;
  if (input <= DEFAULT_PAGE_SIZE || !requested?.includes(linesEmbed.field)) return;
  const issue = { code: 'too_big', origin: 'number', maximum: DEFAULT_PAGE_SIZE, inclusive: true } as const;
  context.addIssue({ ...issue, input, path: ['page-size'] });
}

/** Returns the schema of the query string of a document's own rows, which have a fixed order. */
export function rowsQuery(filters: Filters | undefined, offer: Omit<ListOptions, 'sorts'>) {
  const { sort: _, ...parameters } = parametersOf(filters, { ...offer, sorts: [] });
  return z.strictObject(parameters).transform((query) => requestOf({ ...query, sort: [] }, offer));
}

/** Returns the parameters of a list with its own filters: `show[]` and a page. */
export function searchParameters(pageSize: number) {
  return { show: Show, ...pageParameters(pageSize) };
}

/** Returns the request of such a list, in the default order, with its filters. */
export function searchRequest(
  query: z.output<z.ZodObject<ReturnType<typeof searchParameters>>>,
  filters: readonly Expression[],
): ListQuery {
  const where = [...filters, ...visible(query.show[0])];
  return {
    where,
    sort: sortOf('-id'),
    embeds: [],
    page: query.page,
    pageSize: query['page-size'],
  };
}

/** Returns the schema of a query string with only a page. */
export function pageQuery(pageSize: number) {
  return z
    .strictObject(pageParameters(pageSize))
    .transform((query) => ({ page: query.page, pageSize: query['page-size'] }));
}

/**
 * Returns the schema of a query string that selects records for an operation: only `filter[…]` and `show[]`
 * of their list.
 */
export function selectionQuery(filters: Filters) {
  return z
    .strictObject({ filter: filterOf(filters), show: Show })
    .transform(({ filter, show }) => [...expressions(filter), ...visible(show[0])]);
}

/** Returns the schema of a single record's query string: only `with[]`. */
export function embedQuery({ embeds = {} }: Pick<ListOptions, 'embeds'>) {
  return z.strictObject({ with: withParameter(embeds) }).transform((query) => chosen(embeds, query.with));
}

// Sorted by name: of `district` and `district.region` the more detailed one comes last and overwrites.
function chosen(embeds: Embeds, names: readonly string[] = []): Embed[] {
  return names.toSorted().flatMap((name) => embeds[name] ?? []);
}

type Parameters = z.output<z.ZodObject<ReturnType<typeof parametersOf>>>;

/** Returns the request of a parsed query string of records. */
export function recordRequest(
  query: Parameters & { readonly show: z.output<typeof Show> },
  offer: Pick<ListOptions, 'embeds' | 'lookingSorts'>,
): ListQuery {
  return requestOf(query, offer, visible(query.show[0]));
}

function requestOf(
  query: Parameters,
  { embeds = {}, lookingSorts = [] }: Pick<ListOptions, 'embeds' | 'lookingSorts'>,
  further: readonly Expression[] = [],
): ListQuery {
  const sort = sortOf(query.sort[0] ?? '-id');
  return {
    where: [...expressions(query.filter), ...further],
    sort: {
      ...sort,
      ...(isDefaultSort(query.sort) && { isDefault: true }),
      ...(lookingSorts.includes(sort.field) && { looks: true }),
    },
    embeds: chosen(embeds, query.with),
    page: query.page,
    pageSize: query['page-size'],
  };
}

function visible(show: 'with-deleted' | 'only-deleted' | undefined): Expression[] {
  if (show === 'with-deleted') return [];
  return [equals('is_deleted', show === 'only-deleted')];
}

function sortOf(sort: string): ListRequest['sort'] {
  return sort.startsWith('-')
    ? { field: sort.slice(1), descending: true }
    : { field: sort, descending: false };
}

/** Returns the conditions of filters, each with the name of its parameter. */
function expressions(filter: Readonly<Record<string, unknown>>): Expression[] {
  return Object.entries(filter).flatMap(([name, expression]) =>
    isExpression(expression) ? [{ ...expression, parameter: `filter.${name}` }] : [],
  );
}

function isExpression(filter: unknown): filter is Expression {
  return typeof filter === 'object' && filter !== null && 'render' in filter;
}

/** Returns a query for all matching records, in the order of their ids: for lists that stay short. */
export function wholeList(where: readonly Expression[]): ListQuery {
  return { ...ALL_ROWS, where, embeds: [] };
}
