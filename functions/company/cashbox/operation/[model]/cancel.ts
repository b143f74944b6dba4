import { CancelInput, cancelOperation } from '#lib/cash/operation/cancel.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const PATCH = endpoint({
  right: 'company.cashbox.operation.cancel',
  idempotent: true,
  body: CancelInput,
  note:
    'Canceling any operation of a collection cancels the whole collection while it is `on_hold`: the money ' +
    'returns to the desk, and to its open shift if it has one. 400 for an income whose money is no longer at ' +
    'the desk.',
  run: ({ actor, id, body, at, saveResponse }) =>
    cancelOperation(actor, { ...body, id }, at, () => saveResponse(undefined)),
});
