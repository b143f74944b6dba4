import * as categories from '#lib/catalog/category.ts';
import { Confirmation } from '#lib/http/answer.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const DELETE = endpoint({
  right: 'company.product.category.restore',
  answers: Confirmation,
  run: ({ actor, id, at }) => categories.restore(actor, id, at),
});
