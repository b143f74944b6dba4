import { endpoint } from '#lib/http/endpoint.ts';
import { ArrivalInput } from '#lib/trade/transfer/decide-end.ts';
import { endTransit } from '#lib/trade/transfer/end.ts';

export const PATCH = endpoint({
  right: 'company.trade.transfer.complete',
  mayNeed: { 'company.trade.transfer.short': 'products' },
  idempotent: true,
  body: ArrivalInput,
  note:
    'The goods arrive in batches of the same cost and date as those they were taken from. If less arrived ' +
    'than was sent, requires the right `company.trade.transfer.short`: missing goods return to the sending ' +
    'warehouse, or are written off as lost.',
  run: ({ actor, id, body, at, locale, saveResponse }) =>
    endTransit(actor, { id, status: 'completed', ...body }, { at, locale }, () => saveResponse(undefined)),
});
