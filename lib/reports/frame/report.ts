import * as z from 'zod';
import type { Day } from '#lib/values/time.ts';

/** Key and label that begin each row of a report; null in totals. */
export const keyed = {
  /** An id, a day or a month; null for rows without one. */
  key: z.union([z.int(), z.string()]).nullable(),
  label: z.string().nullable(),
};

/** A row of a report; its fields are the columns of a workbook too. */
export type ReportRow = z.ZodObject<typeof keyed>;

/** A report: `totals` has a row for each currency over all pages, none without data. Part 4, 4.5. */
export interface Report<Row> {
  readonly data: Row[];
  readonly totals: Row[];
  /** Null for a report of the current state. */
  readonly period: { readonly from: Day; readonly to: Day } | null;
}

/** A report with one page of its rows. */
export interface ReportPage<Row> extends Report<Row> {
  /** Rows on all pages. */
  readonly total: number;
}
