import * as units from '#lib/catalog/unit/unit.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const DELETE = endpoint({
  right: 'company.product.unit.restore',
  run: ({ actor, id, at }) => units.restore(actor, id, at),
});
