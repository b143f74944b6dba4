import { reporting } from '#lib/http/reporting.ts';
import { ExpensesRow, expensesReport, expensesSheet } from '#lib/reports/expenses/expenses.ts';
import { ExpensesQuery } from '#lib/reports/expenses/query.ts';

export const GET = reporting({
  right: 'company.report.expenses',
  query: ExpensesQuery,
  rows: ExpensesRow,
  sheet: expensesSheet,
  note:
    'Manual incomes and expenses at desks by their items, including expenses of shifts. A cancellation or ' +
    'return counts on its own day as a movement the other way. `filter[type]` is the type of the item. Keys ' +
    'without movements have no row.',
  run: ({ actor, query }) => expensesReport(actor, query),
});
