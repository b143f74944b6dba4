import { endpoint } from '#lib/http/endpoint.ts';
import { completeStocktake } from '#lib/trade/stocktake/end.ts';

export const PATCH = endpoint({
  right: 'company.trade.inventory.complete',
  idempotent: true,
  uses: ['queue:finish-counts'],
  note:
    'The surplus becomes a completed goods receipt without a supplier, one per currency; the shortage a ' +
    'completed write-off with source type `inventory`. Neither can be canceled. A stock movement records when ' +
    'and by whom its position was counted.',
  run: ({ actor, id, at, locale, saveResponse }) =>
    completeStocktake(actor, id, { at, locale }, () => saveResponse(undefined)),
});
