import { reporting } from '#lib/http/reporting.ts';
import { PayablesQuery, PayablesRow, payablesReport, payablesSheet } from '#lib/reports/payables.ts';

export const GET = reporting({
  right: 'company.report.payables',
  query: PayablesQuery,
  rows: PayablesRow,
  sheet: payablesSheet,
  note:
    'Debts to suppliers today, by days overdue. A balance is owed for the newest operations that raised it, each ' +
    'due `payment_days` of the supplier after its day; older ones are paid. `total` less `prepaid` is the ' +
    'balance. Only operations within reach count.',
  run: ({ actor, query, at }) => payablesReport(actor, query, at),
});
