import { endpoint } from '#lib/http/endpoint.ts';
import { cancelHold } from '#lib/trade/hold/hold.ts';

export const PATCH = endpoint({
  right: 'company.trade.hold.cancel',
  idempotent: true,
  run: ({ actor, id, at, saveResponse }) => cancelHold(actor, id, at, () => saveResponse(undefined)),
});
