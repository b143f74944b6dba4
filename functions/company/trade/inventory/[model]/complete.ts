import { endpoint } from '#lib/http/endpoint.ts';
import { completeStocktake } from '#lib/trade/stocktake/end.ts';

export const PATCH = endpoint({
  right: 'company.trade.inventory.complete',
  idempotent: true,
  uses: ['queue:finish-counts'],
  note:
    'The surplus becomes a completed receipt without a supplier, one a currency; the shortage a completed write-off ' +
    'with the source `inventory`. Neither can be canceled. A movement tells when and by whom its position was counted.',
  run: ({ actor, id, at, locale, saveResponse }) =>
    completeStocktake(actor, id, { at, locale }, () => saveResponse(undefined)),
});
