import { reporting } from '#lib/http/reporting.ts';
import { CashQuery, CashRow, cashReport, cashSheet } from '#lib/reports/cash/cash.ts';

export const GET = reporting({
  right: 'company.report.cash',
  query: CashQuery,
  rows: CashRow,
  sheet: cashSheet,
  note:
    'What moved at desks, main ones too, by the day on which it did: `opening` + `income` − `outcome` = ' +
    '`closing`, which the next day opens with. What was canceled or reversed counts as a movement the other ' +
    'way on the day on which the money moved back. What is on hold has left its desk. A kind of money has ' +
    'rows if there was some at the beginning, or some moved.',
  run: ({ actor, query }) => cashReport(actor, query),
});
