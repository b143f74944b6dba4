import * as z from 'zod';
import { DaysFilter, Ids, reportParameters } from '#lib/reports/frame/query.ts';

/** Query string of the report. */
export const SalesQuery = z.strictObject(
  reportParameters(['day', 'hour', 'month', 'company', 'cashbox', 'creator'], {
    date: DaysFilter,
    company_id: Ids,
    cashbox_id: Ids,
  }),
);

/** Filters of the report. */
export type SalesFilter = z.output<typeof SalesQuery>['filter'];

/** Groupings of the report. */
export type SalesGroup = z.output<typeof SalesQuery>['group'];
