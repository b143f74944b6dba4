import { endpoint } from '#lib/http/endpoint.ts';
import { dropProducts, RemovedProducts } from '#lib/trade/count/counting/drop.ts';

export const PATCH = endpoint({
  right: 'company.trade.inventory.remove-products',
  idempotent: true,
  body: RemovedProducts,
  note: 'A line that is out of the count already is passed over.',
  run: ({ actor, id, body, at, remember }) =>
    dropProducts(actor, id, body, { at, remember: () => remember(undefined) }),
});
