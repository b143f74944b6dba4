import * as templates from '#lib/catalog/unit/template.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const DELETE = endpoint({
  right: 'admin.product.unit.restore',
  run: ({ actor, id, at }) => templates.restore(actor, id, at),
});
