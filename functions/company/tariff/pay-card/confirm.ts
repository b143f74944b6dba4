import {
  CODES_OF_PAYMENT,
  ConfirmationInput,
  Confirmed,
  confirmPayment,
} from '#lib/billing/payment/confirm.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const POST = endpoint({
  right: 'company.tariff.confirm',
  evenInactive: true,
  limit: CODES_OF_PAYMENT,
  idempotent: true,
  body: ConfirmationInput,
  response: Confirmed,
  uses: ['gateway'],
  note:
    'Confirms the latest payment with the ids returned by `pay-card` and the code from the SMS. The balance ' +
    'is credited once the gateway notifies the service: poll `payment-status` for `external_id`. 400 for a ' +
    'wrong or expired code, 503 if the gateway fails. 429 after five failed codes for a payment within an ' +
    'hour, or twenty for all payments of the company.',
  run: ({ actor, body, at, saveResponse }) => confirmPayment(actor, body, at, saveResponse),
});
