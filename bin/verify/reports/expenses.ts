import type { StoredPosting } from '#lib/cash/posting/record.ts';
import { expensesReport } from '#lib/reports/expenses/expenses.ts';
import { dayOf, daysAfter, type Instant, monthsAfter, monthsOf } from '#lib/values/time.ts';
import { type CheckedReport, GROWING_SUMS, ReportSums } from './frame.ts';

/** Manual incomes and expenses by item and by day, a month at a time: a report has a limit of days. */
export const EXPENSES_REPORT: CheckedReport = {
  book: 'expenses report',
  of: 'postings',
  rule: GROWING_SUMS,
  read: async (actor, { from, to }) => {
    const reported = new ReportSums();
    for (const month of monthsOf(from, to)) {
      const first = `${month}-01`;
      const date = { from: first, to: daysAfter(monthsAfter(first, 1), -1) };
      for (const group of ['reason', 'day'] as const) {
        const { data } = await expensesReport(actor, { group, filter: { date } });
        for (const { key, currency, income, outcome } of data) {
          reported.add(`${group} ${key}, ${currency}`, 'income', income);
          reported.add(`${group} ${key}, ${currency}`, 'outcome', outcome);
        }
      }
    }
    return reported;
  },
};

/** Adds a movement of a posting, if that is a manual income or expense. */
export function addExpense(
  sums: ReportSums,
  { source_type, source_id, currency, amount }: StoredPosting,
  type: StoredPosting['type'],
  at: Instant,
): void {
  if (source_type !== 'reason') return;
  for (const key of [`reason ${source_id}`, `day ${dayOf(at)}`])
    sums.add(`${key}, ${currency}`, type, amount);
}
