import * as z from 'zod';
import {
  absent,
  any,
  between,
  contains,
  type Expression,
  equals,
  oneOf,
  within,
} from '#lib/table/expression.ts';
import { Id } from '#lib/values/fields.ts';
import { LOCALES, type Locale, normalizeText } from '#lib/values/text.ts';
import { DayField, endOfDay, startOfDay } from '#lib/values/time.ts';
import type { Embeds } from './embeds.ts';
import type { Totaled } from './totals.ts';

/** A `filter[…]` parameter: its possible values, and the condition on headers. */
export type Filter = z.ZodType<Expression>;

/** The filters of a list, by parameter name. */
export type Filters = Readonly<Record<string, Filter>>;

/** Compared fields by filter. */
const compared = z.registry<{ readonly field: string }>();

const MAX_VALUES = 100;

/** Filters by equality of the field with the value. */
export function exact(field: string, value: z.ZodType): Filter {
  return value.transform((expected) => equals(field, expected)).register(compared, { field });
}

/**
 * Filters likewise by a field that older records lack: these count as `fallback`, for which every header is
 * read.
 */
export function exactOrAbsent<T>(field: string, value: z.ZodType<T>, fallback: T): Filter {
  return value
    .transform((expected) => {
      const isEqual = equals(field, expected);
      return expected === fallback ? any([absent(field), isEqual]) : isEqual;
    })
    .register(compared, { field });
}

/**
 * Filters by equality of a field without an index: it has many distinct values, and a unique constraint finds
 * the record. Implemented by the document type (`DocumentType.narrow`).
 */
export function exactByConstraint(field: string, value: z.ZodType): Filter {
  return value.transform((expected) => equals(field, expected));
}

/**
 * Filters by equality of the field with the value, or with one of a list of up to a hundred; or with an
 * equivalent spelling of such a value.
 */
export function exactOrList<T>(
  field: string,
  value: z.ZodType<T>,
  spellingsOf: (single: T) => readonly T[] = (single) => [single],
): Filter {
  const values = z.array(value).min(1).max(MAX_VALUES);
  return z
    .union([values, value.transform((single) => [single])])
    .transform((list) => oneOf(field, list.flatMap(spellingsOf)))
    .register(compared, { field });
}

/** Returns the fields of such filters that need an index: all but the id, which is in the key. */
export function fieldsCompared(filters: Filters): string[] {
  const fields = Object.values(filters).flatMap((filter) => compared.get(filter)?.field ?? []);
  return fields.filter((field) => field !== 'id');
}

/**
 * Filters by a part of the field's text, in any language and letter case. The record type provides the search
 * text.
 */
export function substring(field: string): Filter {
  return SearchText.transform((part) => containsText(field, part, LOCALES));
}

/** The value of a substring filter. */
export const SearchText = z.string().max(255);

/** Holds if the search text of the field, or one of its texts in these languages, contains the part. */
export function containsText(field: string, part: string, locales: readonly Locale[]): Expression {
  const paths = [`folded.${field}`, ...locales.map((locale) => `folded.${field}.${locale}`)];
  return any(paths.map((path) => contains(path, normalizeText(part))));
}

/** Filters by the day of an instant, from `[0]` to `[1]`, either of which may be omitted. */
export function period(field: string): Filter {
  return z
    .strictObject({ 0: DayField.optional(), 1: DayField.optional() })
    .transform(({ 0: from, 1: to }) =>
      within(
        field,
        from === undefined ? 0 : startOfDay(from),
        to === undefined ? Number.MAX_SAFE_INTEGER : endOfDay(to),
      ),
    );
}

/** Filters by a day that is stored as such, from `[0]` to `[1]`, either of which may be omitted. */
export function dayPeriod(field: string): Filter {
  return z
    .strictObject({ 0: DayField.optional(), 1: DayField.optional() })
    .transform(({ 0: from = FIRST_DAY, 1: to = LAST_DAY }) => between(field, from, to));
}

const FIRST_DAY = '0000-01-01';
const LAST_DAY = '9999-12-31';

/** The filters of every list of platform records. */
export const platformFilters = { id: exactOrList('id', Id), created_at: period('created_at') };

/** The sort orders and embeds of a list. Each list of the contract has its own. */
export interface ListOptions {
  /** Field names; a leading `-` sorts in descending order. */
  readonly sorts: readonly string[];
  /** Sort fields that may look at only so many rows. Part 5, 5B.7, 4. */
  readonly lookingSorts?: readonly string[];
  readonly embeds?: Embeds;
  /** Amounts that `totals=true` adds up. */
  readonly totals?: Totaled;
  readonly pageSize?: number;
}

/** Whether deleted records are shown. */
export const Show = z
  .array(z.enum(['with-deleted', 'only-deleted']))
  .max(1)
  .default([]);

/** The default orders of lists, which a search replaces by its own. */
const defaultSorts = new WeakSet<object>();

/** Returns true if the caller has sent no order. */
export function isDefaultSort(sort: readonly string[]): boolean {
  return defaultSorts.has(sort);
}

/** The alternative format of a list. Contract 1, "format=excel". */
export const Format = z.enum(['excel']).optional();

/** Returns the parameters of a list with these options. */
export function parametersOf(
  filters: Filters | undefined,
  { sorts, lookingSorts = [], embeds = {}, pageSize = 20 }: ListOptions,
) {
  const order = [defaultSort(sorts)];
  defaultSorts.add(order);
  return {
    filter: filterOf(filters),
    sort: z
      .array(z.enum([...sorts, ...lookingSorts].flatMap((field) => [field, `-${field}`])))
      .max(1)
      .default(() => order),
    with: withParameter(embeds),
    ...pageParameters(pageSize),
  };
}

/**
 * Returns the `with` parameter for these embeds; without embeds the parameter is unknown: 422 on `with`.
 * Contract 9.143.
 */
export function withParameter(embeds: Embeds) {
  const names = Object.keys(embeds);
  if (names.length === 0) return z.never({ error: 'validation.unknown' }).optional();
  return z.array(z.enum(names)).default([]);
}

/**
 * Returns the default order: the newest first, or by the first sort field without an id. Contract 1,
 * "Defaults".
 */
function defaultSort(sorts: readonly string[]): string {
  return `-${sorts.includes('id') ? 'id' : (sorts[0] ?? 'id')}`;
}

/** Default page size, and the maximum for a page with lines. Part 4, 4.1. */
export const DEFAULT_PAGE_SIZE = 20;

/** Maximum page size of lists that Parts 1 to 3 do not define. Part 4, 4.1. */
export const MAX_PAGE_SIZE = 200;

/** Returns the parameters of a page. */
export function pageParameters(pageSize: number) {
  return {
    page: z.int().min(1).default(1),
    'page-size': z.int().min(1).max(pageSize).default(Math.min(pageSize, DEFAULT_PAGE_SIZE)),
  };
}

/** Returns the parameter of a list's filters. */
export function filterOf(filters: Filters = {}) {
  return z
    .strictObject(
      Object.fromEntries(Object.entries(filters).map(([name, filter]) => [name, filter.optional()])),
    )
    .default({});
}
