import { endpoint } from '#lib/http/endpoint.ts';
import { listing } from '#lib/http/listing.ts';
import * as districts from '#lib/regions/district.ts';

export const GET = listing({
  right: 'admin.region.district.index',
  query: districts.List,
  rows: districts.District,
  run: ({ actor, query }) => districts.list(actor, query),
});

export const POST = endpoint({
  right: 'admin.region.district.store',
  body: districts.DistrictInput,
  response: districts.District,
  run: ({ actor, body, at }) => districts.create(actor, body, at),
});
