import { Confirmation } from '#lib/http/answer.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { complete } from '#lib/trade/purchase-complete.ts';

export const PATCH = endpoint({
  right: 'company.trade.purchase.complete',
  idempotent: true,
  answers: Confirmation,
  run: ({ actor, id, at, remember }) => complete(actor, id, at, () => remember(undefined)),
});
