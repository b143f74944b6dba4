import { PaymentNotification, receive } from '#lib/billing/payment/end.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const POST = endpoint({
  right: 'gateway',
  body: PaymentNotification,
  uses: ['gateway', 'queue:credit-payments'],
  note:
    '`X-Signature` is the hex HMAC-SHA256 of the raw body with the secret shared with the gateway; 404 ' +
    'without it. Responds 200 once the notification is queued. A payment is credited once, even if notified ' +
    'repeatedly.',
  run: ({ body, at }) => receive(body, at),
});
