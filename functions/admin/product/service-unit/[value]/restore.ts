import * as templates from '#lib/catalog/service/unit-template.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const DELETE = endpoint({
  right: 'admin.product.service-unit.restore',
  run: ({ actor, id, at }) => templates.restore(actor, id, at),
});
