import * as z from 'zod';
import type { Embed } from './embeds.ts';
import type { Filters } from './filters.ts';

/** The orders and embeds of a list. Each list of the contract has its own. */
export interface ListOffer {
  /** Field names; each may also be asked for with a leading `-`. */
  readonly sorts: readonly string[];
  readonly embeds?: Readonly<Record<string, Embed>>;
  readonly pageSize: number;
}

/** Whether deleted records are shown. */
export const Show = z
  .array(z.enum(['with-deleted', 'only-deleted']))
  .max(1)
  .default([]);

/** How a list may be asked for instead of page by page. Decisions, 1, "format=excel". */
export const Format = z.enum(['excel']).optional();

/** Makes the parameters of a list that offers this. */
export function parametersOf(filters: Filters | undefined, { sorts, embeds = {}, pageSize }: ListOffer) {
  return {
    filter: filterOf(filters),
    sort: z
      .array(z.enum(sorts.flatMap((field) => [field, `-${field}`])))
      .max(1)
      .default([usualSort(sorts)]),
    with: z.array(z.enum(Object.keys(embeds))).default([]),
    ...pageParameters(pageSize),
  };
}

/**
 * Chooses the order that is usual: the newest first, or by what there is instead of an id. Decisions, 1,
 * "Defaults".
 */
function usualSort(sorts: readonly string[]): string {
  return `-${sorts.includes('id') ? 'id' : (sorts[0] ?? 'id')}`;
}

/** Makes the parameters of a page. */
export function pageParameters(pageSize: number) {
  return {
    page: z.int().min(1).default(1),
    'page-size': z.int().min(1).max(pageSize).default(pageSize),
  };
}

/** Makes the parameter of a list's filters. */
export function filterOf(filters: Filters = {}) {
  return z
    .strictObject(
      Object.fromEntries(Object.entries(filters).map(([name, filter]) => [name, filter.optional()])),
    )
    .default({});
}
