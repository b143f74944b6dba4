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
    'The gateway sends a code to the phone of the card; `phone` is informational. An earlier payment that has ' +
    'not ended is canceled. 404 without a tariff; 503 if the gateway fails: then nothing has changed. Card ' +
    'data are passed on, never stored or logged. 429 after twenty in an hour of one user.',
  run: ({ actor, body, at, saveResponse }) => payByCard(actor, body, at, saveResponse),
});
