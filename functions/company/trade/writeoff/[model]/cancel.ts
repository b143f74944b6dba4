import { endpoint } from '#lib/http/endpoint.ts';
import { cancelWriteOff } from '#lib/trade/write-off/end.ts';

export const PATCH = endpoint({
  right: 'company.trade.writeoff.cancel',
  idempotent: true,
  note:
    'A completed write-off can be canceled only on the day of its completion: the goods return to their ' +
    'batches.',
  run: ({ actor, id, at, saveResponse }) => cancelWriteOff(actor, id, at, () => saveResponse(undefined)),
});
