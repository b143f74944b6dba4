import { syncWithMain } from '#lib/cash/rate-sync.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const PATCH = endpoint({
  right: 'company.cashbox.currency-rate.sync-with-main',
  strict: true,
  accepts: 'multipart',
  run: ({ actor, at }) => syncWithMain(actor, at),
});
