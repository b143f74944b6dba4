import { endpoint } from '#lib/http/endpoint.ts';
import { endTransit } from '#lib/trade/transfer/arrive.ts';

export const PATCH = endpoint({
  right: 'company.trade.transfer.complete',
  idempotent: true,
  note: 'The goods arrive in batches of the same cost and date as those they were taken from.',
  run: ({ actor, id, at, saveResponse }) =>
    endTransit(actor, { id, status: 'completed' }, at, () => saveResponse(undefined)),
});
