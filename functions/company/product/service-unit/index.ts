import * as units from '#lib/catalog/service/unit.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { listing } from '#lib/http/listing.ts';

export const GET = listing({
  right: 'company.product.service-unit.index',
  query: units.List,
  rows: units.ServiceUnit,
  run: ({ actor, query }) => units.list(actor, query),
});

export const POST = endpoint({
  right: 'company.product.service-unit.store',
  body: units.ServiceUnitInput,
  response: units.ServiceUnit,
  run: ({ actor, body, at }) => units.create(actor, body, at),
});
