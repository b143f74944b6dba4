import * as z from 'zod';
import { DaysFilter, Ids, reportParameters } from '#lib/reports/frame/query.ts';

/** Query string of the report. */
export const SalesQuery = z.strictObject(
  reportParameters(['day', 'month', 'company', 'cashbox', 'creator'], {
    date: DaysFilter,
    company_id: Ids,
    cashbox_id: Ids,
  }),
);

/** Groupings of the report. */
export type SalesGroup = z.output<typeof SalesQuery>['group'];
