import { companyEmbed } from '#lib/people/company/company.ts';
import { creatorEmbed, nameOfUserItem } from '#lib/people/user/user.ts';
import { documentSheet } from '#lib/records/sheet.ts';
import { fromStockEmbed, StockTransfer, stockTransfers, toStockEmbed } from './record.ts';

/** What the workbook looks at. */
const Row = StockTransfer.pick({
  id: true,
  created_at: true,
  status: true,
  completed_at: true,
  company_id: true,
  from_stock_id: true,
  to_stock_id: true,
  creator_id: true,
  products_count: true,
});

/** The list of transfers between warehouses as a workbook. */
export const stockTransferSheet = documentSheet(
  stockTransfers,
  Row,
  'sheet.transfers',
  ({ column, words, linked }) => [
    column('column.number', 'number', ({ id }) => id),
    column('column.created_at', 'moment', ({ created_at }) => created_at),
    words('column.status', ({ status }) => `transfer.status.${status}`),
    column('column.completed_at', 'moment', ({ completed_at }) => completed_at),
    linked('column.company', companyEmbed),
    linked('column.from_stock', fromStockEmbed),
    linked('column.to_stock', toStockEmbed),
    linked('column.creator', creatorEmbed, nameOfUserItem),
    column('column.products_count', 'number', ({ products_count }) => products_count),
  ],
);
