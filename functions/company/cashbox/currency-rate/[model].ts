import * as rates from '#lib/cash/currency-rate.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const GET = endpoint({
  right: 'company.cashbox.currency-rate.show',
  response: rates.RateSettings,
  run: ({ actor, id }) => rates.get(actor, id),
});

export const PUT = endpoint({
  right: 'company.cashbox.currency-rate.update',
  strict: true,
  accepts: 'multipart',
  body: rates.RateInput,
  run: ({ actor, id, body, at }) => rates.change(actor, id, body, at),
});
