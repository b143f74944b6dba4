import { endpoint } from '#lib/http/endpoint.ts';
import { DebtPayment } from '#lib/trade/debt-payment/record.ts';
import { refund } from '#lib/trade/debt-payment/refund.ts';

export const POST = endpoint({
  right: 'company.client.debt-payment.refund',
  mayNeed: { 'company.client.client.deposit-payout': null },
  idempotent: true,
  response: DebtPayment,
  note:
    "Only payments made on the client's latest payment day are refundable. 400 for money that a return of the " +
    'sale has already paid out or an exchange has passed on to a new sale; if money from the account of the ' +
    'client was received in its place, refunding it needs the right to pay out of accounts.',
  run: ({ actor, id, at, saveResponse }) => refund(actor, id, at, saveResponse),
});
