import { endpoint } from '#lib/http/endpoint.ts';
import * as neighbourhoods from '#lib/regions/neighbourhood.ts';

export const GET = endpoint({
  right: 'admin.region.mfy.show',
  query: neighbourhoods.Embeds,
  response: neighbourhoods.Neighbourhood,
  run: ({ actor, id, query }) => neighbourhoods.get(actor, id, query),
});

export const PUT = endpoint({
  right: 'admin.region.mfy.update',
  body: neighbourhoods.NeighbourhoodInput,
  response: neighbourhoods.Neighbourhood,
  run: ({ actor, id, body, at }) => neighbourhoods.edit(actor, id, body, at),
});

export const DELETE = endpoint({
  right: 'admin.region.mfy.destroy',
  run: ({ actor, id, at }) => neighbourhoods.remove(actor, id, at),
});
