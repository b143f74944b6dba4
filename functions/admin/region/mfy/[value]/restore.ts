import { endpoint } from '#lib/http/endpoint.ts';
import { Confirmation } from '#lib/http/wire/answer.ts';
import * as neighbourhoods from '#lib/regions/neighbourhood.ts';

export const DELETE = endpoint({
  right: 'admin.region.mfy.restore',
  answers: Confirmation,
  run: ({ actor, id, at }) => neighbourhoods.restore(actor, id, at),
});
