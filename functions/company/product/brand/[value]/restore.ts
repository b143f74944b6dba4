import * as brands from '#lib/catalog/brand.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const DELETE = endpoint({
  right: 'company.product.brand.restore',
  run: ({ actor, id, at }) => brands.restore(actor, id, at),
});
