import * as clients from '#lib/clients/client.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const DELETE = endpoint({
  right: 'company.client.client.restore',
  run: ({ actor, id, at }) => clients.restore(actor, id, at),
});
