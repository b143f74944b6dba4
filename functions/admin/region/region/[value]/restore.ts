import { endpoint } from '#lib/http/endpoint.ts';
import { Confirmation } from '#lib/http/wire/answer.ts';
import * as regions from '#lib/regions/region.ts';

export const DELETE = endpoint({
  right: 'admin.region.region.restore',
  answers: Confirmation,
  run: ({ actor, id, at }) => regions.restore(actor, id, at),
});
