import { depositsReport } from '#lib/reports/deposits.ts';
import type { NamedSums } from '../frame/ledger.ts';
import { type CheckedReport, POINT_IN_TIME_SUMS, ReportSums } from './frame.ts';

/** The report of deposits, by client and currency. */
export const DEPOSITS_REPORT: CheckedReport = {
  book: 'deposits report',
  of: 'entries',
  rule: POINT_IN_TIME_SUMS,
  read: async (actor) => {
    const reported = new ReportSums();
    const { data } = await depositsReport(actor);
    for (const { key, currency, amount } of data) reported.add(`${key} ${currency}`, 'amount', amount);
    return reported;
  },
};

/** Returns the deposits of clients, by the sums of their entries. */
export function sumsOfDeposits(entries: NamedSums): ReportSums {
  const sums = new ReportSums();
  for (const [name, amount] of entries) if (amount !== 0) sums.add(name, 'amount', amount);
  return sums;
}
