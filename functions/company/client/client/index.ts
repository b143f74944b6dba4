import * as clients from '#lib/clients/client.ts';
import { ClientInput } from '#lib/clients/client-input.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { listing } from '#lib/http/listing.ts';

export const GET = listing({
  right: 'company.client.client.index',
  query: clients.List,
  rows: clients.Client,
  run: ({ actor, query, at }) => clients.list(actor, query, at),
});

export const POST = endpoint({
  right: 'company.client.client.store',
  body: ClientInput,
  response: clients.Client,
  run: ({ actor, body, at }) => clients.create(actor, body, at),
});
