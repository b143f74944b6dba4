import { endpoint } from '#lib/http/endpoint.ts';
import { endTransit } from '#lib/trade/transfer/end.ts';

export const PATCH = endpoint({
  right: 'company.trade.transfer.cancel',
  idempotent: true,
  note: 'The goods return to the batches they were taken from.',
  run: ({ actor, id, at, locale, saveResponse }) =>
    endTransit(actor, { id, status: 'canceled', products: [] }, { at, locale }, () =>
      saveResponse(undefined),
    ),
});
