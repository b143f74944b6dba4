import { reverse } from '#lib/cash/operation/cancel.ts';
import { Posting } from '#lib/cash/posting/record.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const PATCH = endpoint({
  right: 'company.cashbox.operation.return',
  idempotent: true,
  response: Posting,
  note:
    'Answers with the reversing transfer, which belongs to the shift that is open now. 400 for an income whose ' +
    'money the desk no longer has.',
  run: ({ actor, id, at, saveResponse }) => reverse(actor, id, at, saveResponse),
});
