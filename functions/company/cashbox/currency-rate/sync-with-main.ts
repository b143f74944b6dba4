import * as rates from '#lib/cash/currency-rate.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { Confirmation } from '#lib/http/wire/answer.ts';

export const PATCH = endpoint({
  right: 'company.cashbox.currency-rate.sync-with-main',
  accepts: 'multipart',
  answers: Confirmation,
  run: ({ actor, at }) => rates.syncWithMain(actor, at),
});
