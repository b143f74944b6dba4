import type { Staff } from '#lib/auth/actor.ts';
import { productsReport } from '#lib/reports/products/products.ts';
import {
  placeOfGroup,
  returnedGoodsRollups,
  returnedServicesRollups,
  soldGoodsRollups,
  soldServicesRollups,
} from '#lib/reports/rollups/goods.ts';
import type { RollupLocation } from '#lib/table/rollups/kind.ts';
import { Currency } from '#lib/values/money.ts';
import { daysOf } from '#lib/values/time.ts';
import { type CheckedReport, GROWING_SUMS, type ReportDays, ReportSums } from './frame.ts';
import { addRollups } from './rollups.ts';
import { nameOfGoods, nameOfProduct } from './sold.ts';

const FIGURES = ['quantity', 'amount', 'cost'] as const;

/**
 * The products report: each cell of its rollups, goods' and services', and the growing figures of its rows.
 */
export const PRODUCTS_REPORT: CheckedReport = {
  book: 'products report',
  of: 'lines',
  rule: GROWING_SUMS,
  read: async (actor, days) => {
    const reported = new ReportSums();
    await addCells(reported, actor, days);
    await addProducts(reported, actor, days);
    return reported;
  },
};

async function addCells(reported: ReportSums, { tenant }: Staff, days: ReportDays): Promise<void> {
  const periods = daysOf(days.from, days.to);
  const rowOf =
    (noun: string) =>
    ({ group, period }: RollupLocation, [id = 0, currency = 0]: readonly number[]) =>
      nameOfGoods(placeOfGroup(group), period, `${noun} ${id}`, Currency.options[currency] ?? 'uzs');
  const figuresOf = (side: string) => FIGURES.map((figure) => `${side} ${figure}`);
  const rollups = [
    [soldGoodsRollups, 'sold', 'product'],
    [returnedGoodsRollups, 'returned', 'product'],
    [soldServicesRollups, 'sold', 'service'],
    [returnedServicesRollups, 'returned', 'service'],
  ] as const;
  await Promise.all(
    rollups.map(([kind, side, noun]) =>
      addRollups(reported, tenant, { kind, periods, figures: figuresOf(side), rowOf: rowOf(noun) }),
    ),
  );
}

async function addProducts(reported: ReportSums, actor: Staff, date: ReportDays): Promise<void> {
  const order = { sort: { field: 'quantity', descending: true }, page: 1, 'page-size': 1 } as const;
  // A workbook has the rows of all pages.
  const query = { group: 'product', filter: { date }, format: 'excel', ...order } as const;
  const { data } = await productsReport(actor, query, 'ru');
  for (const { key, currency, quantity, returned_quantity } of data) {
    const name = nameOfProduct(key, currency);
    reported.add(name, 'sold quantity', quantity);
    reported.add(name, 'returned quantity', returned_quantity);
  }
}
