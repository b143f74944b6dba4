import * as categories from '#lib/catalog/category.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { listing } from '#lib/http/listing.ts';

export const GET = listing({
  right: 'company.product.category.index',
  query: categories.List,
  rows: categories.Category,
  run: ({ actor, query }) => categories.list(actor, query),
});

export const POST = endpoint({
  right: 'company.product.category.store',
  body: categories.CategoryInput,
  response: categories.Category,
  run: ({ actor, body, at }) => categories.create(actor, body, at),
});
