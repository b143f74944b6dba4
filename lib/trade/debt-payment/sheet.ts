import { deskEmbed } from '#lib/cash/desk/desk.ts';
import { clientEmbed } from '#lib/clients/client.ts';
import { companyColumn, creatorColumn } from '#lib/people/family-record.ts';
import { inCapitals, linkColumn } from '#lib/records/sheet/column.ts';
import { documentSheet } from '#lib/records/sheet/sheet.ts';
import { debtPayments, StoredDebtPayment } from './record.ts';

/** Workbook of debt payments. */
export const debtPaymentSheet = documentSheet(
  debtPayments,
  StoredDebtPayment,
  'sheet.debt_payments',
  ({ column, columnUnder }) => [
    column('id', 'number'),
    column('created_at', 'moment'),
    columnUnder('column.status', 'is_refunded', 'text', (isRefunded) => ({
      key: `debt_payment.status.${isRefunded ? 'refunded' : 'accepted'}`,
    })),
    companyColumn,
    linkColumn('column.client', clientEmbed, 'full_name'),
    linkColumn('column.cashbox', deskEmbed),
    creatorColumn,
    column('debt_id', 'number'),
    column('payment_type', 'text', (payment_type) => ({ key: `column.${payment_type}` })),
    column('currency', 'text', inCapitals),
    column('amount', 'money'),
  ],
);
