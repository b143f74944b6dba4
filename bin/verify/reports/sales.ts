import type { Staff } from '#lib/auth/actor.ts';
import { RETURN_SUMS, returnsRollups } from '#lib/reports/rollups/returns.ts';
import { SALE_SUMS, salesRollups } from '#lib/reports/rollups/sales.ts';
import { TENDER_SUMS, tenderRollups } from '#lib/reports/rollups/tenders.ts';
import { salesReport } from '#lib/reports/sales/sales.ts';
import type { RollupLocation } from '#lib/table/rollups/kind.ts';
import { Currency } from '#lib/values/money.ts';
import { monthsOf } from '#lib/values/time.ts';
import {
  type CheckedReport,
  GROWING_SUMS,
  POINT_IN_TIME_SUMS,
  type ReportDays,
  ReportSums,
} from './frame.ts';
import { addRollups } from './rollups.ts';
import { nameOfDesk, nameOfSold } from './sold.ts';

/** The sales report: each cell of its rollups, and its rows by desk. */
export const SALES_REPORT: CheckedReport = {
  book: 'sales report',
  of: 'documents',
  rule: GROWING_SUMS,
  read: async (actor, days) => {
    const reported = new ReportSums();
    await addCells(reported, actor, days);
    await addDesks(reported, actor, days);
    return reported;
  },
};

/** Payments in the sales report by desk, and each cell of the rollups of their corrections. */
export const PAYMENTS_REPORT: CheckedReport = {
  book: 'sales report by payment type',
  of: 'documents',
  rule: POINT_IN_TIME_SUMS,
  read: async (actor, date) => {
    const reported = new ReportSums();
    const periods = monthsOf(date.from, date.to);
    const [{ data }] = await Promise.all([
      salesReport(actor, { group: 'cashbox', filter: { date } }),
      addRollups(reported, actor.tenant, { kind: tenderRollups, periods, figures: TENDER_SUMS, rowOf }),
    ]);
    for (const { key, currency, by_payment_type } of data) {
      const desk = nameOfDesk({ cashbox_id: Number(key), currency });
      for (const [way, sum] of Object.entries(by_payment_type)) reported.add(desk, `sold ${way}`, sum);
    }
    return reported;
  },
};

async function addCells(reported: ReportSums, { tenant }: Staff, { from, to }: ReportDays): Promise<void> {
  const periods = monthsOf(from, to);
  const [sold, returned] = [
    SALE_SUMS.map((name) => `sold ${name}`),
    RETURN_SUMS.map((name) => `returned ${name}`),
  ];
  await Promise.all([
    addRollups(reported, tenant, { kind: salesRollups, periods, figures: sold, rowOf }),
    addRollups(reported, tenant, { kind: returnsRollups, periods, figures: returned, rowOf }),
  ]);
}

function rowOf({ group, period }: RollupLocation, of: readonly number[]): string {
  const [day = 0, rank = 0, creator_id = 0, company_id = 0] = of;
  const currency = Currency.options[rank] ?? 'uzs';
  const date = `${period}-${String(day).padStart(2, '0')}`;
  return nameOfSold({ cashbox_id: Number(group), currency, creator_id, company_id }, date);
}

async function addDesks(reported: ReportSums, actor: Staff, date: ReportDays): Promise<void> {
  const { data } = await salesReport(actor, { group: 'cashbox', filter: { date } });
  for (const { key, currency, ...row } of data) {
    const desk = nameOfDesk({ cashbox_id: Number(key), currency });
    reported.add(desk, 'sold count', row.sales_count);
    reported.add(desk, 'sold sold', row.sold_amount);
    reported.add(desk, 'sold discount', row.discount_amount);
    reported.add(desk, 'returned count', row.returns_count);
    reported.add(desk, 'returned returned', row.returned_amount);
  }
}
