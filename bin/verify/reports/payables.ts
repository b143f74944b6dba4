import { payablesReport } from '#lib/reports/payables.ts';
import type { NamedSums } from '../frame/ledger.ts';
import { type CheckedReport, POINT_IN_TIME_SUMS, ReportSums } from './frame.ts';

/** The report of debts to suppliers: debts less advances, by supplier and currency. */
export const PAYABLES_REPORT: CheckedReport = {
  book: 'payables report',
  of: 'operations',
  rule: POINT_IN_TIME_SUMS,
  read: async (actor) => {
    const reported = new ReportSums();
    const { data } = await payablesReport(actor, { filter: {} }, Date.now());
    for (const { key, currency, total, prepaid, ...row } of data) {
      const { not_due, overdue_1_30, overdue_31_60, overdue_61_90, overdue_over_90 } = row;
      const parts = not_due + overdue_1_30 + overdue_31_60 + overdue_61_90 + overdue_over_90;
      reported.add(`${key} ${currency}`, 'balance', total - prepaid);
      reported.add(`${key} ${currency}`, 'parts', parts - prepaid);
    }
    return reported;
  },
};

/** Returns the sums that the report must give, from what suppliers' operations come to. */
export function sumsOfPayables(owed: NamedSums): ReportSums {
  const sums = new ReportSums();
  for (const [name, sum] of owed) {
    sums.add(name, 'balance', sum);
    sums.add(name, 'parts', sum);
  }
  return sums;
}
