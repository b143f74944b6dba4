import * as reasons from '#lib/cash/reason.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const GET = endpoint({
  right: 'company.cashbox.reason.show',
  query: reasons.Embeds,
  response: reasons.Reason,
  run: ({ actor, id, query }) => reasons.get(actor, id, query),
});

export const PUT = endpoint({
  right: 'company.cashbox.reason.update',
  body: reasons.ReasonInput,
  response: reasons.Reason,
  run: ({ actor, id, body, at }) => reasons.edit(actor, id, body, at),
});

export const DELETE = endpoint({
  right: 'company.cashbox.reason.destroy',
  run: ({ actor, id, at }) => reasons.remove(actor, id, at),
});
