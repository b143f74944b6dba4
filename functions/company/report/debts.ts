import { reporting } from '#lib/http/reporting.ts';
import { DebtsQuery, DebtsRow, debtsReport, debtsSheet } from '#lib/reports/debts.ts';

export const GET = reporting({
  right: 'company.report.debts',
  query: DebtsQuery,
  rows: DebtsRow,
  sheet: debtsSheet,
  note: 'Outstanding debts of clients today, by days overdue.',
  run: ({ actor, query, at }) => debtsReport(actor, query, at),
});
