import { endpoint } from '#lib/http/endpoint.ts';
import { listing } from '#lib/http/listing.ts';
import * as regions from '#lib/regions/region.ts';

export const GET = listing({
  right: 'admin.region.region.index',
  query: regions.List,
  rows: regions.Region,
  run: ({ actor, query }) => regions.list(actor, query),
});

export const POST = endpoint({
  right: 'admin.region.region.store',
  body: regions.RegionInput,
  response: regions.Region,
  run: ({ actor, body, at }) => regions.create(actor, body, at),
});
