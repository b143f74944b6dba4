import { endpoint } from '#lib/http/endpoint.ts';
import { ExcludedProductsInput, excludeProducts } from '#lib/trade/stocktake/counting/exclude.ts';

export const PATCH = endpoint({
  right: 'company.trade.inventory.remove-products',
  idempotent: true,
  body: ExcludedProductsInput,
  note: 'Positions already removed are ignored.',
  run: ({ actor, id, body, at, saveResponse }) =>
    excludeProducts(actor, id, body, { at, saveResponse: () => saveResponse(undefined) }),
});
