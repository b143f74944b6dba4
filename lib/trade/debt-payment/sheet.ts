import { cashboxEmbed } from '#lib/cash/desk/cashbox.ts';
import { clientEmbed } from '#lib/clients/client.ts';
import { companyEmbed } from '#lib/people/company/company.ts';
import { creatorEmbed, nameOfUserItem } from '#lib/people/user/user.ts';
import { documentSheet } from '#lib/records/sheet.ts';
import { debtPayments, StoredDebtPayment } from './record.ts';

/** The fields for the workbook. */
const Row = StoredDebtPayment.pick({
  id: true,
  created_at: true,
  is_refunded: true,
  company_id: true,
  client_id: true,
  creator_id: true,
  cashbox_id: true,
  debt_id: true,
  payment_type: true,
  currency: true,
  amount: true,
});

/** The list of debt payments as a workbook. */
export const debtPaymentSheet = documentSheet(
  debtPayments,
  Row,
  'sheet.debt_payments',
  ({ column, words, linked }) => [
    column('column.number', 'number', ({ id }) => id),
    column('column.created_at', 'moment', ({ created_at }) => created_at),
    words(
      'column.status',
      ({ is_refunded }) => `debt_payment.status.${is_refunded ? 'refunded' : 'accepted'}`,
    ),
    linked('column.company', companyEmbed),
    linked('column.client', clientEmbed, 'full_name'),
    linked('column.cashbox', cashboxEmbed),
    linked('column.creator', creatorEmbed, nameOfUserItem),
    column('column.debt_id', 'number', ({ debt_id }) => debt_id),
    words('column.payment_type', ({ payment_type }) => `column.${payment_type}`),
    column('column.currency', 'text', ({ currency }) => currency.toUpperCase()),
    column('column.amount', 'money', ({ amount }) => amount),
  ],
);
