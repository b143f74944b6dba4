import { Product } from '#lib/catalog/card.ts';
import * as products from '#lib/catalog/product/product.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { listing } from '#lib/http/listing.ts';

export const GET = listing({
  right: 'company.product.product.index',
  query: products.List,
  rows: Product,
  run: ({ actor, query }) => products.list(actor, query),
});

export const POST = endpoint({
  right: 'company.product.product.store',
  accepts: 'multipart',
  body: products.ProductInput,
  response: Product,
  uses: ['public:write', 'queue:discard-files'],
  run: ({ actor, body, at }) => products.create(actor, body, at),
});
