import { reporting } from '#lib/http/reporting.ts';
import { CashQuery, CashRow, cashReport, cashSheet } from '#lib/reports/cash/cash.ts';

export const GET = reporting({
  right: 'company.report.cash',
  query: CashQuery,
  rows: CashRow,
  sheet: cashSheet,
  note:
    'Money movements at desks, main desks included, by day: `opening` + `income` − `outcome` = `closing`, ' +
    "which is the next day's `opening`. A cancellation or reversal counts as an opposite movement on its own " +
    'day. Money on hold has left its desk. A payment type and currency has rows if it had money at the start ' +
    'or moved.',
  run: ({ actor, query }) => cashReport(actor, query),
});
