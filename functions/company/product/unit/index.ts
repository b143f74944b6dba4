import * as units from '#lib/catalog/unit/unit.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { listing } from '#lib/http/listing.ts';

export const GET = listing({
  right: 'company.product.unit.index',
  query: units.List,
  rows: units.Unit,
  run: ({ actor, query }) => units.list(actor, query),
});

export const POST = endpoint({
  right: 'company.product.unit.store',
  body: units.UnitInput,
  response: units.Unit,
  run: ({ actor, body, at }) => units.create(actor, body, at),
});
