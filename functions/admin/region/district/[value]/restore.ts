import { endpoint } from '#lib/http/endpoint.ts';
import * as districts from '#lib/regions/district.ts';

export const DELETE = endpoint({
  right: 'admin.region.district.restore',
  run: ({ actor, id, at }) => districts.restore(actor, id, at),
});
