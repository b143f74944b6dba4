import { listing } from '#lib/http/listing.ts';
import * as helpers from '#lib/system/helper-record.ts';

export const GET = listing({
  right: 'signed-in',
  params: helpers.HelperType,
  query: helpers.HelperList,
  rows: helpers.HelperRecord,
  run: ({ actor, params, query, locale }) => helpers.list(actor, params.type, query, locale),
});
