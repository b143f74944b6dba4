import { CancelInput, cancelOperation } from '#lib/cash/operation/cancel.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const PATCH = endpoint({
  right: 'company.cashbox.operation.cancel',
  idempotent: true,
  body: CancelInput,
  note:
    'Any transfer of a collection cancels all of it, while it is `on_hold`; its money comes back to the desk, ' +
    'and to its open shift if it has one. 400 for an income whose money the desk no longer has.',
  run: ({ actor, id, body, at, saveResponse }) =>
    cancelOperation(actor, { ...body, id }, at, () => saveResponse(undefined)),
});
