import { reporting } from '#lib/http/reporting.ts';
import { VatRow } from '#lib/reports/vat/figures.ts';
import { VatQuery, vatReport, vatSheet } from '#lib/reports/vat/vat.ts';

export const GET = reporting({
  right: 'company.report.vat',
  query: VatQuery,
  rows: VatRow,
  sheet: vatSheet,
  note:
    'Amounts and the VAT within them by rate: `vat_percent` is null for lines without a rate, and for those ' +
    'sold before rates were kept. Days, desks and companies are those of the report of sales; summed over ' +
    'rates, `amount` is its `revenue`. A rate without anything has no row; `totals` has one for each currency ' +
    'and rate.',
  run: ({ actor, query }) => vatReport(actor, query),
});
