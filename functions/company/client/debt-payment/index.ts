import { endpoint } from '#lib/http/endpoint.ts';
import { listing } from '#lib/http/listing.ts';
import { DebtPaymentsResponse, payDebts } from '#lib/trade/debt-payment/pay.ts';
import { DebtPaymentList, list, readPayments } from '#lib/trade/debt-payment/read.ts';
import { DebtPayment, DebtPaymentInput } from '#lib/trade/debt-payment/record.ts';
import { debtPaymentSheet } from '#lib/trade/debt-payment/sheet.ts';

export const GET = listing({
  right: 'company.client.debt-payment.index',
  query: DebtPaymentList,
  rows: DebtPayment,
  sheet: debtPaymentSheet,
  run: ({ actor, query, at }) => list(actor, query, at),
});

export const POST = endpoint({
  right: 'company.client.debt-payment.store',
  idempotent: true,
  figure: 'debt_payments',
  body: DebtPaymentInput,
  response: DebtPaymentsResponse,
  note:
    "The money goes to the client's debts in the currency, to those of all companies open to the caller: the " +
    'earliest due first, then the oldest. Each part is a payment of one debt in one way, and an income of the ' +
    'desk; they are answered by debt, then in the order of `payments`. One call pays up to 300 debts.',
  run: ({ actor, body, at, saveResponse }) => payDebts(actor, body, at, saveResponse),
  reread: ({ actor, at }, ids) => readPayments(actor, ids, at),
});
