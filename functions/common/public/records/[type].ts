import * as helpers from '#lib/drop-downs/records.ts';
import { listing } from '#lib/http/listing.ts';

export const GET = listing({
  right: 'signed-in',
  params: helpers.HelperType,
  query: helpers.HelperList,
  rows: helpers.HelperRecord,
  note:
    'Lists what this type of user reaches elsewhere, whatever the role: staff the records of their family ' +
    'that are open to them, partners their companies, administrators companies, partners and roles. A ' +
    'product shows its own name.',
  run: ({ actor, params, query, locale }) => helpers.list(actor, params.type, query, locale),
});
