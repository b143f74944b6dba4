import * as clients from '#lib/clients/client.ts';
import { ClientInput } from '#lib/clients/client-input.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const GET = endpoint({
  right: 'company.client.client.show',
  query: clients.Embeds,
  response: clients.Client,
  run: ({ actor, id, query, at }) => clients.get(actor, id, query, at),
});

export const PUT = endpoint({
  right: 'company.client.client.update',
  mayNeed: ['company.client.client.exceed-limit'],
  body: ClientInput,
  response: clients.Client,
  run: ({ actor, id, body, at }) => clients.edit(actor, id, body, at),
});

export const DELETE = endpoint({
  right: 'company.client.client.destroy',
  run: ({ actor, id, at }) => clients.remove(actor, id, at),
});
