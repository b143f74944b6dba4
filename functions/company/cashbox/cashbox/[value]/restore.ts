import * as cashboxes from '#lib/cash/desk/cashbox.ts';
import { Confirmation } from '#lib/http/answer.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const DELETE = endpoint({
  right: 'company.cashbox.cashbox.restore',
  answers: Confirmation,
  run: ({ actor, id, at }) => cashboxes.restore(actor, id, at),
});
