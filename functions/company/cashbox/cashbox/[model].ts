import * as desks from '#lib/cash/desk/desk.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const GET = endpoint({
  right: 'company.cashbox.cashbox.show',
  query: desks.Embeds,
  response: desks.Desk,
  run: ({ actor, id, query }) => desks.get(actor, id, query),
});

export const PUT = endpoint({
  right: 'company.cashbox.cashbox.update',
  body: desks.DeskInput,
  response: desks.Desk,
  run: ({ actor, id, body, at }) => desks.edit(actor, id, body, at),
});

export const DELETE = endpoint({
  right: 'company.cashbox.cashbox.destroy',
  run: ({ actor, id, at }) => desks.remove(actor, id, at),
});
