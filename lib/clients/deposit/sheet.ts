import { deskEmbed } from '#lib/cash/desk/desk.ts';
import { clientEmbed } from '#lib/clients/client.ts';
import { companyColumn, creatorColumn } from '#lib/people/family-record.ts';
import { inCapitals, linkColumn } from '#lib/records/sheet/column.ts';
import { documentSheet } from '#lib/records/sheet/sheet.ts';
import { DepositEntry, deposits } from './record.ts';

/** Workbook of the entries of deposits. */
export const depositSheet = documentSheet(
  deposits,
  DepositEntry,
  'sheet.deposits',
  ({ column, columnUnder }) => [
    column('id', 'number'),
    column('created_at', 'moment'),
    columnUnder('column.source_type', 'type', 'text', (type) => ({ key: `deposit.type.${type}` })),
    column('source_id', 'number'),
    companyColumn,
    linkColumn('column.client', clientEmbed, 'full_name'),
    linkColumn('column.cashbox', deskEmbed),
    column('currency', 'text', inCapitals),
    column('amount', 'money'),
    column('balance_after', 'money'),
    column('reversal_of_id', 'number'),
    column('reversal_id', 'number'),
    creatorColumn,
    column('comment', 'text'),
  ],
);
