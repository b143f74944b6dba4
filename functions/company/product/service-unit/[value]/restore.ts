import * as units from '#lib/catalog/service/unit.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const DELETE = endpoint({
  right: 'company.product.service-unit.restore',
  run: ({ actor, id, at }) => units.restore(actor, id, at),
});
