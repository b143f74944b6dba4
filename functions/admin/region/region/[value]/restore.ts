import { endpoint } from '#lib/http/endpoint.ts';
import * as regions from '#lib/regions/region.ts';

export const DELETE = endpoint({
  right: 'admin.region.region.restore',
  run: ({ actor, id, at }) => regions.restore(actor, id, at),
});
