import { endpoint } from '#lib/http/endpoint.ts';
import * as partners from '#lib/people/company/partner.ts';

export const DELETE = endpoint({
  right: 'admin.partner.partner.restore',
  run: ({ actor, id, at }) => partners.restore(actor, id, at),
});
