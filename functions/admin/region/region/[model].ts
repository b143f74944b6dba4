import { endpoint } from '#lib/http/endpoint.ts';
import * as regions from '#lib/regions/region.ts';

export const GET = endpoint({
  right: 'admin.region.region.show',
  query: regions.Embeds,
  response: regions.Region,
  run: ({ actor, id, query }) => regions.get(actor, id, query),
});

export const PUT = endpoint({
  right: 'admin.region.region.update',
  body: regions.RegionInput,
  response: regions.Region,
  run: ({ actor, id, body, at }) => regions.edit(actor, id, body, at),
});

export const DELETE = endpoint({
  right: 'admin.region.region.destroy',
  note: "400 if the region has districts. Its deleted districts can't be restored while the region is deleted.",
  run: ({ actor, id, at }) => regions.remove(actor, id, at),
});
