import { endpoint } from '#lib/http/endpoint.ts';
import { completeCount } from '#lib/trade/count/end.ts';

export const PATCH = endpoint({
  right: 'company.trade.inventory.complete',
  idempotent: true,
  uses: ['queue:finish-counts'],
  note:
    'The surplus becomes a completed receipt without a supplier, one a currency; the shortage a completed write-off ' +
    'with the source `inventory`. Neither can be canceled. A movement tells when and by whom its position was counted.',
  run: ({ actor, id, at, locale, remember }) =>
    completeCount(actor, id, { at, locale }, () => remember(undefined)),
});
