import { copyMainRates } from '#lib/cash/copy-main-rates.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const PATCH = endpoint({
  right: 'company.cashbox.currency-rate.sync-with-main',
  strict: true,
  accepts: 'multipart',
  run: ({ actor, at }) => copyMainRates(actor, at),
});
