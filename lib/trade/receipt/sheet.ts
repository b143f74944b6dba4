import { companyEmbed } from '#lib/people/company/company.ts';
import { creatorEmbed, nameOfUserItem } from '#lib/people/user/user.ts';
import { documentSheet } from '#lib/records/sheet.ts';
import { supplierEmbed } from '#lib/stock/supplier.ts';
import { warehouseEmbed } from '#lib/stock/warehouse.ts';
import { Receipt, receipts } from './record.ts';

/** The fields for the workbook. */
const Row = Receipt.pick({
  id: true,
  created_at: true,
  status: true,
  completed_at: true,
  company_id: true,
  stock_id: true,
  supplier_id: true,
  creator_id: true,
  currency: true,
  products_count: true,
  amount: true,
  comment: true,
});

/** The list of receipts as a workbook. */
export const receiptSheet = documentSheet(receipts, Row, 'sheet.purchases', ({ column, words, linked }) => [
  column('column.number', 'number', ({ id }) => id),
  column('column.created_at', 'moment', ({ created_at }) => created_at),
  words('column.status', ({ status }) => `purchase.status.${status}`),
  column('column.completed_at', 'moment', ({ completed_at }) => completed_at),
  linked('column.company', companyEmbed),
  linked('column.stock', warehouseEmbed),
  linked('column.supplier', supplierEmbed),
  linked('column.creator', creatorEmbed, nameOfUserItem),
  column('column.products_count', 'number', ({ products_count }) => products_count),
  column('column.currency', 'text', ({ currency }) => currency.toUpperCase()),
  column('column.amount', 'money', ({ amount }) => amount),
  column('column.comment', 'text', ({ comment }) => comment),
]);
