import * as specifications from '#lib/catalog/specification.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const DELETE = endpoint({
  right: 'company.product.specification.restore',
  run: ({ actor, id, at }) => specifications.restore(actor, id, at),
});
