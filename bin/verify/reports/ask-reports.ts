import { sales } from '#lib/trade/sale/record.ts';
import { daysAfter } from '#lib/values/time.ts';
import type { Books } from '../frame/books.ts';
import { askReport, readFirstDay } from './frame.ts';
import { PRODUCTS_REPORT } from './products.ts';
import { SALES_REPORT } from './sales.ts';
import type { SoldSums } from './sold.ts';

/** A sale may have been sold so long before its call, and a little before the one whose id is the first. */
const MAX_LATE_DAYS = 40;

/** Asks the reports of sales and products. Answers with what checks both by cheques and returns. */
export async function askSoldReports(books: Books) {
  const first = daysAfter(await readFirstDay(books, sales.type), -MAX_LATE_DAYS);
  const checkSums = await askReport(books, SALES_REPORT, first);
  const checkGoods = await askReport(books, PRODUCTS_REPORT, first);
  return async (sold: SoldSums): Promise<void> => {
    await checkSums(sold.sales, sold.days);
    await checkGoods(sold.goods, sold.days);
  };
}
