import { endpoint } from '#lib/http/endpoint.ts';
import { listing } from '#lib/http/listing.ts';
import * as districts from '#lib/regions/district.ts';

export const GET = listing({
  right: 'admin.region.district.index',
  query: districts.DistrictList,
  rows: districts.District,
  run: ({ query }) => districts.list(query),
});

export const POST = endpoint({
  right: 'admin.region.district.store',
  body: districts.DistrictInput,
  answers: districts.District,
  run: ({ body, at }) => districts.create(body, at),
});
