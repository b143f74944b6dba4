import { endpoint } from '#lib/http/endpoint.ts';
import * as neighbourhoods from '#lib/regions/neighbourhood.ts';

export const DELETE = endpoint({
  right: 'admin.region.mfy.restore',
  run: ({ actor, id, at }) => neighbourhoods.restore(actor, id, at),
});
