import { companyColumn, creatorColumn } from '#lib/people/family-record.ts';
import { inCapitals, linkColumn } from '#lib/records/sheet/column.ts';
import { documentSheet } from '#lib/records/sheet/sheet.ts';
import { warehouseEmbed } from '#lib/stock/warehouse.ts';
import { Hold, holds } from './record.ts';

/** List of holds as a workbook. */
export const holdSheet = documentSheet(holds, Hold, 'sheet.holds', ({ column, columnUnder }) => [
  column('id', 'number'),
  column('created_at', 'moment'),
  column('status', 'text', (status) => ({ key: `hold.status.${status}` })),
  columnUnder('column.customer', 'full_name', 'text'),
  columnUnder('column.held_until', 'date', 'day'),
  companyColumn,
  linkColumn('column.stock', warehouseEmbed),
  creatorColumn,
  column('products_count', 'number'),
  column('currency', 'text', inCapitals),
  column('amount', 'money'),
  columnUnder('column.sale', 'sale_id', 'number'),
  column('comment', 'text'),
]);
