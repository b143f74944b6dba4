import * as brands from '#lib/catalog/brand.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { listing } from '#lib/http/listing.ts';

export const GET = listing({
  right: 'company.product.brand.index',
  query: brands.List,
  rows: brands.Brand,
  run: ({ actor, query }) => brands.list(actor, query),
});

export const POST = endpoint({
  right: 'company.product.brand.store',
  accepts: 'multipart',
  body: brands.BrandInput,
  response: brands.Brand,
  uses: ['public:write', 'queue:discard-files'],
  run: ({ actor, body, at }) => brands.create(actor, body, at),
});
