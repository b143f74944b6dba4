import { payByQr, QrPaymentInput, StartedByQr } from '#lib/billing/payment/start.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const POST = endpoint({
  right: 'company.tariff.pay-qr',
  evenInactive: true,
  idempotent: true,
  body: QrPaymentInput,
  response: StartedByQr,
  uses: ['gateway'],
  note:
    '`qr_content` is a PNG of `checkout_url` as a data URI. An unfinished earlier payment is canceled. 404 ' +
    'without a tariff; 503 if the gateway fails, with nothing changed.',
  run: ({ actor, body, at, saveResponse }) => payByQr(actor, body, at, saveResponse),
});
