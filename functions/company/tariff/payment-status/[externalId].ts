import { PaymentParams, PaymentStanding, standingOf } from '#lib/billing/payment/status.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const GET = endpoint({
  right: 'company.tariff.payment-status',
  params: PaymentParams,
  response: PaymentStanding,
  run: ({ actor, params, locale }) => standingOf(actor, params, locale),
});
