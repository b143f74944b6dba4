import { changeDueDate, DueDateInput } from '#lib/clients/debt/due-date.ts';
import { Debt } from '#lib/clients/debt/record.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const PATCH = endpoint({
  right: 'company.client.debt.due-date',
  idempotent: true,
  body: DueDateInput,
  response: Debt,
  note: 'Debts are paid in the order of their due dates. 400 if nothing of the debt is left.',
  run: ({ actor, id, body, at, saveResponse }) => changeDueDate(actor, { ...body, id }, at, saveResponse),
});
