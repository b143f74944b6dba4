import { endpoint } from '#lib/http/endpoint.ts';
import { DebtPayment } from '#lib/trade/debt-payment/record.ts';
import { refund } from '#lib/trade/debt-payment/refund.ts';

export const POST = endpoint({
  right: 'company.client.debt-payment.refund',
  idempotent: true,
  response: DebtPayment,
  note:
    "Only payments of the client's last day of payments are refundable. Money that a return of the cheque has " +
    'paid out, or an exchange has taken to the new cheque, can’t be refunded any more: 400.',
  run: ({ actor, id, at, saveResponse }) => refund(actor, id, at, saveResponse),
});
