import { companyColumn, creatorColumn } from '#lib/people/family-record.ts';
import { inCapitals, linkColumn } from '#lib/records/sheet/column.ts';
import { documentSheet } from '#lib/records/sheet/sheet.ts';
import { supplierEmbed } from '#lib/stock/supplier/supplier.ts';
import { warehouseEmbed } from '#lib/stock/warehouse.ts';
import { GoodsReceipt, goodsReceipts } from './record.ts';

/** Workbook of goods receipts. */
export const goodsReceiptSheet = documentSheet(
  goodsReceipts,
  GoodsReceipt,
  'sheet.purchases',
  ({ column }) => [
    column('id', 'number'),
    column('created_at', 'moment'),
    column('status', 'text', (status) => ({ key: `purchase.status.${status}` })),
    column('completed_at', 'moment'),
    companyColumn,
    linkColumn('column.stock', warehouseEmbed),
    linkColumn('column.supplier', supplierEmbed),
    creatorColumn,
    column('products_count', 'number'),
    column('currency', 'text', inCapitals),
    column('amount', 'money'),
    column('comment', 'text'),
  ],
);
