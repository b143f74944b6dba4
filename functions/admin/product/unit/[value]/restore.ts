import * as templates from '#lib/catalog/unit/template.ts';
import { Confirmation } from '#lib/http/answer.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const DELETE = endpoint({
  right: 'admin.product.unit.restore',
  answers: Confirmation,
  run: ({ actor, id, at }) => templates.restore(actor, id, at),
});
