import { endpoint } from '#lib/http/endpoint.ts';
import { listing } from '#lib/http/listing.ts';
import * as neighbourhoods from '#lib/regions/neighbourhood.ts';

export const GET = listing({
  right: 'admin.region.mfy.index',
  query: neighbourhoods.List,
  rows: neighbourhoods.Neighbourhood,
  run: ({ actor, query }) => neighbourhoods.list(actor, query),
});

export const POST = endpoint({
  right: 'admin.region.mfy.store',
  body: neighbourhoods.NeighbourhoodInput,
  response: neighbourhoods.Neighbourhood,
  run: ({ actor, body, at }) => neighbourhoods.create(actor, body, at),
});
