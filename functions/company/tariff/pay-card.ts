import { CARD_PAYMENTS, CardPaymentInput, payByCard, StartedByCard } from '#lib/billing/payment/start.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const POST = endpoint({
  right: 'company.tariff.pay-card',
  evenInactive: true,
  limit: CARD_PAYMENTS,
  idempotent: true,
  body: CardPaymentInput,
  response: StartedByCard,
  uses: ['gateway'],
  note:
    'The gateway sends a code to the phone of the card; `phone` is informational. An unfinished earlier ' +
    'payment is canceled. 404 without a tariff; 503 if the gateway fails, with nothing changed. Card data is ' +
    'forwarded, never stored or logged. 429 after twenty requests of a user within an hour.',
  run: ({ actor, body, at, saveResponse }) => payByCard(actor, body, at, saveResponse),
});
