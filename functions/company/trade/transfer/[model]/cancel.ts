import { endpoint } from '#lib/http/endpoint.ts';
import { endTransit } from '#lib/trade/transfer/arrive.ts';

export const PATCH = endpoint({
  right: 'company.trade.transfer.cancel',
  idempotent: true,
  note: 'The goods come back into the very batches they left.',
  run: ({ actor, id, at, saveResponse }) =>
    endTransit(actor, { id, status: 'canceled' }, at, () => saveResponse(undefined)),
});
