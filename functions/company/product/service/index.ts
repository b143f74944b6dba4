import * as services from '#lib/catalog/service/service.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { listing } from '#lib/http/listing.ts';

export const GET = listing({
  right: 'company.product.service.index',
  query: services.List,
  rows: services.Service,
  run: ({ actor, query }) => services.list(actor, query),
});

export const POST = endpoint({
  right: 'company.product.service.store',
  body: services.ServiceInput,
  response: services.Service,
  run: ({ actor, body, at }) => services.create(actor, body, at),
});
