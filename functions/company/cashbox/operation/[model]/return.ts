import { reverse } from '#lib/cash/operation/cancel.ts';
import { Posting } from '#lib/cash/posting/record.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const PATCH = endpoint({
  right: 'company.cashbox.operation.return',
  idempotent: true,
  response: Posting,
  note:
    'Returns the reversing operation, which belongs to the currently open shift. 400 for an income whose ' +
    'money is no longer at the desk.',
  run: ({ actor, id, at, saveResponse }) => reverse(actor, id, at, saveResponse),
});
