import { companyColumn, creatorColumn } from '#lib/people/family-record.ts';
import { linkColumn } from '#lib/records/sheet/column.ts';
import { documentSheet } from '#lib/records/sheet/sheet.ts';
import { fromStockEmbed, StockTransfer, stockTransfers, toStockEmbed } from './record.ts';

/** Workbook of stock transfers. */
export const stockTransferSheet = documentSheet(
  stockTransfers,
  StockTransfer,
  'sheet.transfers',
  ({ column }) => [
    column('id', 'number'),
    column('created_at', 'moment'),
    column('status', 'text', (status) => ({ key: `transfer.status.${status}` })),
    column('completed_at', 'moment'),
    companyColumn,
    linkColumn('column.from_stock', fromStockEmbed),
    linkColumn('column.to_stock', toStockEmbed),
    creatorColumn,
    column('products_count', 'number'),
  ],
);
