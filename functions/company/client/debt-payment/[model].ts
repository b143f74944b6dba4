import { endpoint } from '#lib/http/endpoint.ts';
import { DebtPaymentEmbeds, get } from '#lib/trade/debt-payment/read.ts';
import { DebtPayment } from '#lib/trade/debt-payment/record.ts';

export const GET = endpoint({
  right: 'company.client.debt-payment.show',
  query: DebtPaymentEmbeds,
  response: DebtPayment,
  run: ({ actor, id, query, at }) => get(actor, id, query, at),
});
