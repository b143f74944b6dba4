import * as z from 'zod';
import { Format } from '#lib/records/query/filters.ts';
import { Id } from '#lib/values/fields.ts';
import { DayField, daysBetween } from '#lib/values/time.ts';

const MAX_VALUES = 100;

const List = z.array(Id).min(1).max(MAX_VALUES);

/** Filter by ids: one, or up to a hundred. */
export const Ids = z.union([List, Id.transform((id) => [id])]).optional();

/** Longest period of a report, in days: two years. */
const MAX_DAYS = 731;

/** Filter by a period, both days required. 422 if it is empty or too long. */
export const DaysFilter = daysFilter(MAX_DAYS);

/** Returns the same filter for a report with another longest period, in days. */
export function daysFilter(max: number) {
  return z
    .strictObject({ 0: DayField, 1: DayField })
    .transform(({ 0: from, 1: to }) => ({ from, to }))
    .superRefine(({ from, to }, context) => {
      const days = daysBetween(from, to) + 1;
      if (days < 1) context.addIssue({ code: 'custom', message: 'report.days_backwards' });
      const params = { max };
      if (days > max) context.addIssue({ code: 'custom', message: 'report.too_many_days', params });
    });
}

/**
 * Returns the query parameters of a report: the grouping (by default the first of `groups`), filters and
 * `format`.
 */
export function reportParameters<G extends string, F extends z.core.$ZodShape>(
  groups: readonly [G, ...G[]],
  filters: F,
) {
  return {
    group: z.enum(groups).default(groups[0]),
    filter: z.strictObject(filters),
    format: Format,
  };
}
