import { PaymentNotification, receive } from '#lib/billing/payment/end.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const POST = endpoint({
  right: 'gateway',
  body: PaymentNotification,
  uses: ['gateway', 'queue:credit-payments'],
  note:
    'The header `X-Signature` is the hex HMAC-SHA256 of the raw body by the secret that the gateway shares; ' +
    'without it: 404. 200 as soon as it is queued. A payment is credited once, however often it is told.',
  run: ({ body, at }) => receive(body, at),
});
