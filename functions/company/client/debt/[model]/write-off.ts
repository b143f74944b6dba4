import { DebtWriteOffInput, writeOff } from '#lib/clients/debt/write-off.ts';
import { DebtWriteOff } from '#lib/clients/debt/write-off-record.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const PATCH = endpoint({
  right: 'company.client.debt.write-off',
  idempotent: true,
  body: DebtWriteOffInput,
  response: DebtWriteOff,
  note:
    'The client owes less, and no money moves. A later return credits the outstanding part of the debt first, ' +
    'then the part written off: it is not refunded.',
  run: ({ actor, id, body, at, saveResponse }) => writeOff(actor, { ...body, id }, at, saveResponse),
});
