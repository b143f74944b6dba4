import * as desks from '#lib/cash/desk/desk.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const DELETE = endpoint({
  right: 'company.cashbox.cashbox.restore',
  run: ({ actor, id, at }) => desks.restore(actor, id, at),
});
