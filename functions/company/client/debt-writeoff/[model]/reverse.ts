import { reverseWriteOff } from '#lib/clients/debt/write-off.ts';
import { DebtWriteOff } from '#lib/clients/debt/write-off-record.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { ReversalInput } from '#lib/values/reversal.ts';

export const POST = endpoint({
  right: 'company.client.debt-writeoff.reverse',
  idempotent: true,
  body: ReversalInput,
  response: DebtWriteOff,
  note:
    'The part of the debt that is still written off, at most the amount of the write-off, is owed again, even ' +
    "above the client's limit. 400 for a reversal or a reversed write-off, and for a deleted client.",
  run: ({ actor, id, body, at, saveResponse }) => reverseWriteOff(actor, { ...body, id }, at, saveResponse),
});
