import * as clients from '#lib/clients/client.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { Confirmation } from '#lib/http/wire/answer.ts';

export const DELETE = endpoint({
  right: 'company.client.client.restore',
  answers: Confirmation,
  run: ({ actor, id, at }) => clients.restore(actor, id, at),
});
