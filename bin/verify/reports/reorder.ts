import { reorderReport } from '#lib/reports/reorder/reorder.ts';
import { type CheckedReport, POINT_IN_TIME_SUMS, ReportSums } from './frame.ts';

/** The reorder report: goods by product over all warehouses, and those on their way between them. */
export const REORDER_REPORT: CheckedReport = {
  book: 'reorder report',
  of: 'balances and documents',
  rule: POINT_IN_TIME_SUMS,
  read: async (actor) => {
    const reported = new ReportSums();
    const horizon = { days: 1, cover_days: 1, all: true };
    // A workbook has the rows of all pages.
    const query = { filter: {}, ...horizon, format: 'excel', page: 1, 'page-size': 1 } as const;
    const { data } = await reorderReport(actor, query, Date.now());
    for (const { key, free_quantity, held_quantity, coming_quantity } of data) {
      const row = `product ${key}`;
      reported.add(row, 'quantity', free_quantity + held_quantity);
      reported.add(row, 'held quantity', held_quantity);
      reported.add(row, 'quantity in transit', coming_quantity);
    }
    return reported;
  },
};

/** Returns the sums that the report must give, from those of the stock report: its quantities by product. */
export function sumsOfReorder(onHand: ReportSums): ReportSums {
  const sums = new ReportSums();
  for (const [row, figures] of onHand) {
    if (!row.startsWith('product ')) continue;
    for (const figure of ['quantity', 'held quantity', 'quantity in transit'])
      sums.add(row, figure, figures.get(figure) ?? 0n);
  }
  return sums;
}
