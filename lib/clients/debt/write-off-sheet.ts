import { clientEmbed } from '#lib/clients/client.ts';
import { companyColumn, creatorColumn } from '#lib/people/family-record.ts';
import { inCapitals, linkColumn } from '#lib/records/sheet/column.ts';
import { documentSheet } from '#lib/records/sheet/sheet.ts';
import { DebtWriteOff, debtWriteOffs } from './write-off-record.ts';

/** Workbook of write-offs of debts. */
export const debtWriteOffSheet = documentSheet(
  debtWriteOffs,
  DebtWriteOff,
  'sheet.debt_writeoffs',
  ({ column }) => [
    column('id', 'number'),
    column('created_at', 'moment'),
    companyColumn,
    linkColumn('column.client', clientEmbed, 'full_name'),
    column('debt_id', 'number'),
    column('currency', 'text', inCapitals),
    column('amount', 'money'),
    column('reversal_of_id', 'number'),
    column('reversal_id', 'number'),
    creatorColumn,
    column('comment', 'text'),
  ],
);
