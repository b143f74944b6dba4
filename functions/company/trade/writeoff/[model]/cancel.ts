import { endpoint } from '#lib/http/endpoint.ts';
import { cancelWriteOff } from '#lib/trade/write-off/end.ts';

export const PATCH = endpoint({
  right: 'company.trade.writeoff.cancel',
  idempotent: true,
  note: 'A completed one is canceled on the day of its completion only: its goods go back into their batches.',
  run: ({ actor, id, at, saveResponse }) => cancelWriteOff(actor, id, at, () => saveResponse(undefined)),
});
