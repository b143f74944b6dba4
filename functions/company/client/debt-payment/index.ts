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
    "Allocates the money to the client's debts in the currency, in all companies accessible to the caller: " +
    'earliest due date first, then oldest. Each part is a payment of one debt by one payment type and an ' +
    'income of the desk; the response lists them by debt, then in the order of `payments`. A request pays up ' +
    'to 300 debts.',
  run: ({ actor, body, at, saveResponse }) => payDebts(actor, body, at, saveResponse),
  reread: ({ actor, at }, ids) => readPayments(actor, ids, at),
});
