import * as cashboxes from '#lib/cash/desk/cashbox.ts';
import { Confirmation } from '#lib/http/answer.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const GET = endpoint({
  right: 'company.cashbox.cashbox.show',
  query: cashboxes.CashboxEmbeds,
  answers: cashboxes.Cashbox,
  run: ({ actor, id, query }) => cashboxes.get(actor, id, query),
});

export const PUT = endpoint({
  right: 'company.cashbox.cashbox.update',
  body: cashboxes.CashboxInput,
  answers: cashboxes.Cashbox,
  run: ({ actor, id, body, at }) => cashboxes.edit(actor, id, body, at),
});

export const DELETE = endpoint({
  right: 'company.cashbox.cashbox.destroy',
  answers: Confirmation,
  run: ({ actor, id, at }) => cashboxes.remove(actor, id, at),
});
