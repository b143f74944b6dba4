import { Repricing, repricings } from '#lib/catalog/repricing/record.ts';
import { companyColumn, creatorColumn } from '#lib/people/family-record.ts';
import { documentSheet } from '#lib/records/sheet/sheet.ts';

/** Workbook of the repricing history. */
export const repricingSheet = documentSheet(
  repricings,
  Repricing,
  'sheet.repricings',
  ({ column, columnUnder }) => [
    column('id', 'number'),
    column('created_at', 'moment'),
    column('type', 'text', (type) => ({ key: `repricing.type.${type}` })),
    companyColumn,
    creatorColumn,
    column('products_count', 'number'),
    column('skipped_count', 'number'),
    column('currency_rate', 'money'),
    columnUnder('column.average_markup', 'markup_summary', 'money', (summary) => summary?.average),
  ],
);
