import * as products from '#lib/catalog/product/product.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { Confirmation } from '#lib/http/wire/answer.ts';

export const DELETE = endpoint({
  right: 'company.product.product.restore',
  answers: Confirmation,
  run: ({ actor, id, at }) => products.restore(actor, id, at),
});
