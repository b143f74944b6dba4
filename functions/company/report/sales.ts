import { reporting } from '#lib/http/reporting.ts';
import { SalesRow } from '#lib/reports/sales/figures.ts';
import { SalesQuery } from '#lib/reports/sales/query.ts';
import { salesReport, salesSheet } from '#lib/reports/sales/sales.ts';
import { COST_RIGHT } from '#lib/values/cost.ts';

export const GET = reporting({
  right: 'company.report.sales',
  andRight: COST_RIGHT,
  query: SalesQuery,
  rows: SalesRow,
  sheet: salesSheet,
  note:
    'A sale counts on the day of `sold_at`, a return on the day it was made; a return counts for the desk and ' +
    'user that made it, that of an exchange for those of its new sale. `by_payment_type` covers sales before ' +
    'refunds and adds up to `sold_amount`. Grouped by day, each day has a row in each currency of the period, ' +
    'with zeros if empty; grouped by hour, each hour, for at most 7 days and 20 000 sales, returns and ' +
    'corrections of costs. With more than ten desks, a period grouped by day is limited to 92 days.',
  run: ({ actor, query }) => salesReport(actor, query),
});
