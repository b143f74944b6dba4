import { companyColumn, creatorColumn } from '#lib/people/family-record.ts';
import { amountIn, linkColumn } from '#lib/records/sheet/column.ts';
import { documentSheet } from '#lib/records/sheet/sheet.ts';
import { warehouseEmbed } from '#lib/stock/warehouse.ts';
import { Currency } from '#lib/values/money.ts';
import { WriteOff, writeOffs } from './record.ts';

/** Workbook of write-offs. */
export const writeOffSheet = documentSheet(
  writeOffs,
  WriteOff,
  'sheet.writeoffs',
  ({ column, columnUnder }) => [
    column('id', 'number'),
    column('created_at', 'moment'),
    column('status', 'text', (status) => ({ key: `writeoff.status.${status}` })),
    column('completed_at', 'moment'),
    column('name', 'text'),
    column('source_type', 'text', (source_type) => ({ key: `writeoff.source_type.${source_type}` })),
    column('source_id', 'number'),
    companyColumn,
    linkColumn('column.stock', warehouseEmbed),
    creatorColumn,
    column('products_count', 'number'),
    ...Currency.options.map((currency) =>
      columnUnder(amountIn(currency), 'amounts', 'money', (amounts) => amounts[currency]),
    ),
  ],
);
