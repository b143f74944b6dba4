import * as z from 'zod';
import { Format, MAX_PAGE_SIZE, pageParameters } from '#lib/records/query/filters.ts';
import { Ids } from '#lib/reports/frame/query.ts';
import { keyed } from '#lib/reports/frame/report.ts';
import { reportSheet } from '#lib/reports/frame/sheet.ts';
import { Cost } from '#lib/values/cost.ts';
import { Currency } from '#lib/values/money.ts';
import { LargeQuantity, Quantity } from '#lib/values/quantity.ts';

/** A row of the report: a product over all warehouses asked. Part 5, 5A.10. */
export const ReorderRow = z.object({
  ...keyed,
  free_quantity: LargeQuantity,
  held_quantity: LargeQuantity,
  /** Sent to these warehouses and not yet received. */
  coming_quantity: LargeQuantity,
  min_quantity: Quantity.nullable(),
  /** Sold in the last `days` whole days, less returned. */
  sold_quantity: LargeQuantity,
  days_left: z.number().nullable().meta({ description: 'up to 1 decimal' }),
  order_quantity: LargeQuantity,
  last_cost: Cost.nullable(),
  last_currency: Currency.nullable(),
  /** Of receipts completed since suppliers are stored with goods. */
  last_supplier_id: z.int().nullable(),
});

export type ReorderRow = z.input<typeof ReorderRow>;

/** The report as a workbook. */
export const reorderSheet = reportSheet(ReorderRow, 'report.reorder');

/** About a quarter, as rollups of this many days are read. */
const MAX_DAYS = 92;

/** Query string of the report. */
export const ReorderQuery = z.strictObject({
  filter: z.strictObject({ stock_id: Ids, category_id: Ids }),
  days: z.int().min(1).max(MAX_DAYS).default(28),
  cover_days: z.int().min(1).max(MAX_DAYS).default(14),
  /** Rows of products that need no order, too. */
  all: z.boolean().default(false),
  format: Format,
  ...pageParameters(MAX_PAGE_SIZE),
});

export type ReorderQuery = z.output<typeof ReorderQuery>;
