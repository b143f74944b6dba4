import * as categories from '#lib/catalog/category.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const GET = endpoint({
  right: 'company.product.category.show',
  query: categories.Embeds,
  response: categories.Category,
  run: ({ actor, id, query }) => categories.get(actor, id, query),
});

export const PUT = endpoint({
  right: 'company.product.category.update',
  body: categories.CategoryInput,
  response: categories.Category,
  run: ({ actor, id, body, at }) => categories.edit(actor, id, body, at),
});

export const DELETE = endpoint({
  right: 'company.product.category.destroy',
  run: ({ actor, id, at }) => categories.remove(actor, id, at),
});
