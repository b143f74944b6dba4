import * as desks from '#lib/cash/desk/desk.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { Confirmation } from '#lib/http/wire/answer.ts';

export const DELETE = endpoint({
  right: 'company.cashbox.cashbox.restore',
  answers: Confirmation,
  run: ({ actor, id, at }) => desks.restore(actor, id, at),
});
