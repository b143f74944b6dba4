import * as categories from '#lib/catalog/category.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const DELETE = endpoint({
  right: 'company.product.category.restore',
  run: ({ actor, id, at }) => categories.restore(actor, id, at),
});
