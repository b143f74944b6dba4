import { endpoint } from '#lib/http/endpoint.ts';
import * as partners from '#lib/people/company/partner.ts';

export const GET = endpoint({
  right: 'admin.partner.partner.show',
  query: partners.Embeds,
  response: partners.Partner,
  run: ({ actor, id, query }) => partners.get(actor, id, query),
});

export const PUT = endpoint({
  right: 'admin.partner.partner.update',
  body: partners.PartnerInput,
  response: partners.Partner,
  note:
    '403 unless the administrator has access to all companies of the partner; the same applies to deletion ' +
    'and restoration.',
  run: ({ actor, id, body, at }) => partners.edit(actor, id, body, at),
});

export const DELETE = endpoint({
  right: 'admin.partner.partner.destroy',
  note: '400 if the partner has companies or users.',
  run: ({ actor, id, at }) => partners.remove(actor, id, at),
});
