import { clientEmbed } from '#lib/clients/client.ts';
import { companyColumn, creatorColumn } from '#lib/people/family-record.ts';
import { inCapitals, linkColumn, rowColumn } from '#lib/records/sheet/column.ts';
import { documentSheet } from '#lib/records/sheet/sheet.ts';
import { debts, overdueDaysOf, remainderOf, StoredDebt } from './record.ts';

const Remainder = StoredDebt.pick({
  amount: true,
  repaid_amount: true,
  returned_amount: true,
  written_off_amount: true,
  due_date: true,
});

/** Workbook of debts. */
export const debtSheet = documentSheet(debts, StoredDebt, 'sheet.debts', ({ column, columnUnder }) => [
  column('id', 'number'),
  column('created_at', 'moment'),
  column('status', 'text', (status) => ({ key: `debt.status.${status}` })),
  companyColumn,
  linkColumn('column.client', clientEmbed, 'full_name'),
  columnUnder('column.sale', 'sale_id', 'text', (id) => (id === null ? null : `#${id}`)),
  column('due_date', 'day'),
  rowColumn('column.overdue_days', 'number', Remainder, (debt, { at }) => overdueDaysOf(debt, at)),
  column('currency', 'text', inCapitals),
  column('amount', 'money'),
  column('repaid_amount', 'money'),
  column('returned_amount', 'money'),
  rowColumn(
    'column.written_off_amount',
    'money',
    Remainder,
    ({ written_off_amount = 0 }) => written_off_amount,
  ),
  rowColumn('column.remaining_amount', 'money', Remainder, remainderOf),
  creatorColumn,
  column('comment', 'text'),
]);
