import { clientEmbed } from '#lib/clients/client.ts';
import { companyEmbed } from '#lib/people/company/company.ts';
import { creatorEmbed, nameOfUserItem } from '#lib/people/user/user.ts';
import { documentSheet } from '#lib/records/sheet.ts';
import { debts, overdueDaysOf, remainderOf, StoredDebt } from './record.ts';

/** The fields for the workbook. */
const Row = StoredDebt.pick({
  id: true,
  created_at: true,
  status: true,
  company_id: true,
  client_id: true,
  creator_id: true,
  sale_id: true,
  due_date: true,
  currency: true,
  amount: true,
  repaid_amount: true,
  returned_amount: true,
  comment: true,
});

/** The list of debts as a workbook. */
export const debtSheet = documentSheet(debts, Row, 'sheet.debts', ({ column, words, linked }) => [
  column('column.number', 'number', ({ id }) => id),
  column('column.created_at', 'moment', ({ created_at }) => created_at),
  words('column.status', ({ status }) => `debt.status.${status}`),
  linked('column.company', companyEmbed),
  linked('column.client', clientEmbed, 'full_name'),
  column('column.sale', 'text', ({ sale_id }) => `#${sale_id}`),
  column('column.due_date', 'day', ({ due_date }) => due_date),
  column('column.overdue_days', 'number', (debt, { at }) => overdueDaysOf(debt, at)),
  column('column.currency', 'text', ({ currency }) => currency.toUpperCase()),
  column('column.amount', 'money', ({ amount }) => amount),
  column('column.repaid_amount', 'money', ({ repaid_amount }) => repaid_amount),
  column('column.returned_amount', 'money', ({ returned_amount }) => returned_amount),
  column('column.remaining_amount', 'money', remainderOf),
  linked('column.creator', creatorEmbed, nameOfUserItem),
  column('column.comment', 'text', ({ comment }) => comment),
]);
