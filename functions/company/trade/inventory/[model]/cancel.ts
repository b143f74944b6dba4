import { endpoint } from '#lib/http/endpoint.ts';
import { cancelCount } from '#lib/trade/count/end.ts';

export const PATCH = endpoint({
  right: 'company.trade.inventory.cancel',
  idempotent: true,
  uses: ['queue:finish-counts'],
  run: ({ actor, id, at, remember }) => cancelCount(actor, id, at, () => remember(undefined)),
});
