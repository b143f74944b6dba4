import { endpoint } from '#lib/http/endpoint.ts';
import { Confirmation } from '#lib/http/wire/answer.ts';
import { completeWriteOff } from '#lib/trade/write-off/complete.ts';

export const PATCH = endpoint({
  right: 'company.trade.writeoff.complete',
  idempotent: true,
  answers: Confirmation,
  run: ({ actor, id, at, remember }) => completeWriteOff(actor, id, at, () => remember(undefined)),
});
