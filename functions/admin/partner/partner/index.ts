import { endpoint } from '#lib/http/endpoint.ts';
import { listing } from '#lib/http/listing.ts';
import * as partners from '#lib/people/company/partner.ts';
import { setUpPartner } from '#lib/platform/provisioning.ts';

export const GET = listing({
  right: 'admin.partner.partner.index',
  query: partners.List,
  rows: partners.Partner,
  run: ({ actor, query }) => partners.list(actor, query),
});

export const POST = endpoint({
  right: 'admin.partner.partner.store',
  body: partners.PartnerInput,
  response: partners.Partner,
  run: ({ body, at }) => setUpPartner(body, at),
});
