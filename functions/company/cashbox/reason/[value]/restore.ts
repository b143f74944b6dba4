import * as reasons from '#lib/cash/reason.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { Confirmation } from '#lib/http/wire/answer.ts';

export const DELETE = endpoint({
  right: 'company.cashbox.reason.restore',
  answers: Confirmation,
  run: ({ actor, id, at }) => reasons.restore(actor, id, at),
});
