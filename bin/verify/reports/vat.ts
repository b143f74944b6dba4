import { returnedVatRollups, soldVatRollups, vatRateOf } from '#lib/reports/rollups/vat.ts';
import type { RollupLocation } from '#lib/table/rollups/kind.ts';
import { Currency } from '#lib/values/money.ts';
import { monthsOf } from '#lib/values/time.ts';
import { type CheckedReport, GROWING_SUMS, ReportSums } from './frame.ts';
import { addRollups } from './rollups.ts';
import { nameOfVat } from './sold.ts';

/** The VAT report: each cell of its rollups. Part 5, 5A.2, 5. */
export const VAT_REPORT: CheckedReport = {
  book: 'VAT report',
  of: 'documents',
  rule: GROWING_SUMS,
  read: async ({ tenant }, { from, to }) => {
    const reported = new ReportSums();
    const periods = monthsOf(from, to);
    const sides = [
      [soldVatRollups, 'sold'],
      [returnedVatRollups, 'returned'],
    ] as const;
    await Promise.all(
      sides.map(([kind, side]) =>
        addRollups(reported, tenant, { kind, periods, figures: [`${side} amount`, `${side} vat`], rowOf }),
      ),
    );
    return reported;
  },
};

function rowOf({ group, period }: RollupLocation, of: readonly number[]): string {
  const [day = 0, rank = 0, company_id = 0, rate = 0] = of;
  const currency = Currency.options[rank] ?? 'uzs';
  const date = `${period}-${String(day).padStart(2, '0')}`;
  return nameOfVat({ cashbox_id: Number(group), currency, company_id }, date, vatRateOf(rate));
}
