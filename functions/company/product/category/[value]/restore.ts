import * as categories from '#lib/catalog/category.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { Confirmation } from '#lib/http/wire/answer.ts';

export const DELETE = endpoint({
  right: 'company.product.category.restore',
  answers: Confirmation,
  run: ({ actor, id, at }) => categories.restore(actor, id, at),
});
