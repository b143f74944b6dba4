import { reporting } from '#lib/http/reporting.ts';
import { SalesRow } from '#lib/reports/sales/figures.ts';
import { SalesQuery } from '#lib/reports/sales/query.ts';
import { salesReport, salesSheet } from '#lib/reports/sales/sales.ts';

export const GET = reporting({
  right: 'company.report.sales',
  query: SalesQuery,
  rows: SalesRow,
  sheet: salesSheet,
  note:
    'The day of a sale is that of `sold_at`, of a return that of its making; a return belongs to the desk and ' +
    "user that made it, an exchange's to its new cheque's. `by_payment_type` is of sales before payouts and adds " +
    'up to `sold_amount`. By day, each day has a row in each currency of the period, of zeros where there ' +
    'is nothing. By day and of more than ten desks a report has up to 92 days.',
  run: ({ actor, query }) => salesReport(actor, query),
});
