import * as helpers from '#lib/drop-downs/records.ts';
import { listing } from '#lib/http/listing.ts';

export const GET = listing({
  right: 'signed-in',
  params: helpers.HelperType,
  query: helpers.HelperList,
  rows: helpers.HelperRecord,
  note:
    'Returns the records accessible to the kind of user, regardless of role: to staff the accessible records ' +
    'of their family, to partners their companies, to administrators companies, partners and roles. The label ' +
    'of a product is its own name.',
  run: ({ actor, params, query, locale }) => helpers.list(actor, params.type, query, locale),
});
