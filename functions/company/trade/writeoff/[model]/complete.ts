import { endpoint } from '#lib/http/endpoint.ts';
import { completeWriteOff } from '#lib/trade/write-off/end.ts';

export const PATCH = endpoint({
  right: 'company.trade.writeoff.complete',
  idempotent: true,
  run: ({ actor, id, at, saveResponse }) => completeWriteOff(actor, id, at, () => saveResponse(undefined)),
});
