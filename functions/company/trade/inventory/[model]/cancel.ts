import { endpoint } from '#lib/http/endpoint.ts';
import { cancelStocktake } from '#lib/trade/stocktake/end.ts';

export const PATCH = endpoint({
  right: 'company.trade.inventory.cancel',
  idempotent: true,
  uses: ['queue:finish-counts'],
  run: ({ actor, id, at, saveResponse }) => cancelStocktake(actor, id, at, () => saveResponse(undefined)),
});
