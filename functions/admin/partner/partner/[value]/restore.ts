import { endpoint } from '#lib/http/endpoint.ts';
import { Confirmation } from '#lib/http/wire/answer.ts';
import * as partners from '#lib/people/company/partner.ts';

export const DELETE = endpoint({
  right: 'admin.partner.partner.restore',
  answers: Confirmation,
  run: ({ actor, id, at }) => partners.restore(actor, id, at),
});
