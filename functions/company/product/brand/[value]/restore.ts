import * as brands from '#lib/catalog/brand.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { Confirmation } from '#lib/http/wire/answer.ts';

export const DELETE = endpoint({
  right: 'company.product.brand.restore',
  answers: Confirmation,
  run: ({ actor, id, at }) => brands.restore(actor, id, at),
});
