import * as z from 'zod';
import { daysFilter, Ids, reportParameters } from '#lib/reports/frame/query.ts';
import { Direction } from '#lib/values/money.ts';

/** Longest period, in days. Part 5, 5A.10, 3. */
const MAX_DAYS = 366;

/** Query string of the report. */
export const ExpensesQuery = z.strictObject(
  reportParameters(['reason', 'day', 'month', 'company', 'cashbox'], {
    date: daysFilter(MAX_DAYS),
    type: Direction.optional(),
    reason_id: Ids,
    cashbox_id: Ids,
    company_id: Ids,
  }),
);

export type ExpensesQuery = Pick<z.output<typeof ExpensesQuery>, 'group' | 'filter'>;
