import * as specifications from '#lib/catalog/specification.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { listing } from '#lib/http/listing.ts';

export const GET = listing({
  right: 'company.product.specification.index',
  query: specifications.List,
  rows: specifications.Specification,
  run: ({ actor, query }) => specifications.list(actor, query),
});

export const POST = endpoint({
  right: 'company.product.specification.store',
  body: specifications.SpecificationInput,
  response: specifications.Specification,
  run: ({ actor, body, at }) => specifications.create(actor, body, at),
});
