import { sales } from '#lib/trade/sale/record.ts';
import { daysAfter } from '#lib/values/time.ts';
import type { Books } from '../frame/books.ts';
import { askReport, readFirstDay } from './frame.ts';
import { PRODUCTS_REPORT } from './products.ts';
import { PAYMENTS_REPORT, SALES_REPORT } from './sales.ts';
import type { SoldSums } from './sold.ts';
import { VAT_REPORT } from './vat.ts';

/** A sale may be dated this long before its upload, and slightly before the sale with the first id. */
const MAX_LATE_DAYS = 40;

/**
 * Reads the reports of sales, products and VAT. Returns a function that checks them against sales and
 * returns.
 */
export async function askSoldReports(books: Books) {
  const first = daysAfter(await readFirstDay(books, sales.type), -MAX_LATE_DAYS);
  const checkSums = await askReport(books, SALES_REPORT, first);
  const checkPaid = await askReport(books, PAYMENTS_REPORT, first);
  const checkGoods = await askReport(books, PRODUCTS_REPORT, first);
  const checkVat = await askReport(books, VAT_REPORT, first);
  return async (sold: SoldSums): Promise<void> => {
    await checkSums(sold.sales, sold.days);
    await checkPaid(sold.paid, sold.days);
    await checkGoods(sold.goods, sold.days);
    await checkVat(sold.vat, sold.days);
  };
}
