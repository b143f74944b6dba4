import { endpoint } from '#lib/http/endpoint.ts';
import * as districts from '#lib/regions/district.ts';

export const GET = endpoint({
  right: 'admin.region.district.show',
  query: districts.Embeds,
  response: districts.District,
  run: ({ actor, id, query }) => districts.get(actor, id, query),
});

export const PUT = endpoint({
  right: 'admin.region.district.update',
  body: districts.DistrictInput,
  response: districts.District,
  run: ({ actor, id, body, at }) => districts.edit(actor, id, body, at),
});

export const DELETE = endpoint({
  right: 'admin.region.district.destroy',
  note: '400 if the district has neighbourhoods or companies.',
  run: ({ actor, id, at }) => districts.remove(actor, id, at),
});
