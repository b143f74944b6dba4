import { remainderOf, type StoredDebt } from '#lib/clients/debt/record.ts';
import { debtsReport } from '#lib/reports/debts.ts';
import { type CheckedReport, POINT_IN_TIME_SUMS, ReportSums } from './frame.ts';

/** The debts report: outstanding amounts and the oldest day, by client and by company. */
export const DEBTS_REPORT: CheckedReport = {
  book: 'debts report',
  of: 'debts',
  rule: POINT_IN_TIME_SUMS,
  read: async (actor) => {
    const reported = new ReportSums();
    for (const group of ['client', 'company'] as const) {
      const { data } = await debtsReport(actor, { group, filter: {} }, Date.now());
      for (const { key, currency, oldest_due_date, total, ...row } of data) {
        const { not_due, overdue_1_30, overdue_31_60, overdue_61_90, overdue_over_90 } = row;
        const parts = not_due + overdue_1_30 + overdue_31_60 + overdue_61_90 + overdue_over_90;
        reported.add(`${group} ${key}, ${currency}`, 'total', total);
        reported.add(`${group} ${key}, ${currency}`, 'parts', parts);
        reported.add(`${group} ${key}, ${currency}`, 'the oldest day', oldest_due_date);
      }
    }
    return reported;
  },
};

/** Sums outstanding debts. */
export function addUpDebts(debts: Iterable<StoredDebt>): ReportSums {
  const sums = new ReportSums();
  for (const debt of debts) {
    const left = remainderOf(debt);
    if (left === 0) continue;
    for (const owner of [`client ${debt.client_id}`, `company ${debt.company_id}`]) {
      const row = `${owner}, ${debt.currency}`;
      sums.add(row, 'total', left);
      sums.add(row, 'parts', left);
      const oldest = sums.of(row, 'the oldest day');
      if (oldest === 0n || debt.due_date < oldest)
        sums.add(row, 'the oldest day', BigInt(debt.due_date) - oldest);
    }
  }
  return sums;
}
