import { cashboxEmbed } from '#lib/cash/desk/cashbox.ts';
import { clientEmbed } from '#lib/clients/client.ts';
import { companyEmbed } from '#lib/people/company/company.ts';
import { creatorEmbed, nameOfUserItem } from '#lib/people/user/user.ts';
import { documentSheet } from '#lib/records/sheet.ts';
import { warehouseEmbed } from '#lib/stock/warehouse.ts';
import { systemOf } from '#lib/trade/credit/detail.ts';
import { SalePayment } from './input.ts';
import { amountPaidBy, Sale, sales } from './record.ts';

/** The fields for the workbook. */
const Row = Sale.pick({
  code: true,
  created_at: true,
  status: true,
  company_id: true,
  stock_id: true,
  cashbox_id: true,
  client_id: true,
  creator_id: true,
  source_type: true,
  source_data: true,
  currency: true,
  products_count: true,
  sold_amount: true,
  purchased_amount: true,
  returned_amount: true,
  transactions: true,
  comment: true,
});

/** The list of cheques as a workbook. */
export const saleSheet = documentSheet(sales, Row, 'sheet.sales', ({ column, words, linked }) => [
  column('column.number', 'text', ({ code }) => code),
  column('column.created_at', 'moment', ({ created_at }) => created_at),
  words('column.status', ({ status }) => `sale.status.${status}`),
  linked('column.company', companyEmbed),
  linked('column.stock', warehouseEmbed),
  linked('column.cashbox', cashboxEmbed),
  linked('column.client', clientEmbed, 'full_name'),
  {
    ...linked('column.seller', creatorEmbed, nameOfUserItem),
    of: (sale) => (sale.source_type === 'credit' ? systemOf(sale) : null),
  },
  column('column.products_count', 'number', ({ products_count }) => products_count),
  column('column.currency', 'text', ({ currency }) => currency.toUpperCase()),
  column('column.sold_amount', 'money', ({ sold_amount }) => sold_amount),
  column('column.returned_amount', 'money', ({ returned_amount }) => returned_amount),
  column('column.purchased_amount', 'money', ({ purchased_amount }) => purchased_amount),
  ...SalePayment.options.map((type) =>
    // Nothing, not a zero, if the cheque was not paid so.
    column(`column.${type}`, 'money', ({ transactions }) => amountPaidBy(type, transactions) || undefined),
  ),
  column('column.comment', 'text', ({ comment }) => comment),
]);
