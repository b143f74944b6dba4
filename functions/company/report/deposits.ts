import { reporting } from '#lib/http/reporting.ts';
import { DepositsQuery, DepositsRow, depositsReport, depositsSheet } from '#lib/reports/deposits.ts';

export const GET = reporting({
  right: 'company.report.deposits',
  query: DepositsQuery,
  rows: DepositsRow,
  sheet: depositsSheet,
  note: 'Money of clients that the family keeps now.',
  run: ({ actor }) => depositsReport(actor),
});
