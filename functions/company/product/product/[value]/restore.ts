import * as products from '#lib/catalog/product/product.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const DELETE = endpoint({
  right: 'company.product.product.restore',
  run: ({ actor, id, at }) => products.restore(actor, id, at),
});
