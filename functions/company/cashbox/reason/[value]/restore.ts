import * as reasons from '#lib/cash/reason.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const DELETE = endpoint({
  right: 'company.cashbox.reason.restore',
  run: ({ actor, id, at }) => reasons.restore(actor, id, at),
});
