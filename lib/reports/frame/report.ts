import * as z from 'zod';
import type { Day } from '#lib/values/time.ts';

/** What each row of a report begins with: what it is of, and what that is called; null in totals. */
export const keyed = {
  /** An id, a day, a month, or null for what has none. */
  key: z.union([z.int(), z.string()]).nullable(),
  label: z.string().nullable(),
};

/** A row of a report: its columns are those of a workbook, too. */
export type ReportRow = z.ZodObject<typeof keyed>;

/**
 * A report of rows: `totals` has a row for each currency, over all pages, and none of nothing. Part 4, 4.5.
 */
export interface Report<Row> {
  readonly data: Row[];
  readonly totals: Row[];
  /** Null for one of now. */
  readonly period: { readonly from: Day; readonly to: Day } | null;
}

/** A report of which only a page of the rows is asked for. */
export interface ReportPage<Row> extends Report<Row> {
  /** How many rows there are on all pages. */
  readonly total: number;
}
