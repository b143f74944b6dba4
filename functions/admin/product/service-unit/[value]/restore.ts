import * as templates from '#lib/catalog/service/unit-template.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { Confirmation } from '#lib/http/wire/answer.ts';

export const DELETE = endpoint({
  right: 'admin.product.service-unit.restore',
  answers: Confirmation,
  run: ({ actor, id, at }) => templates.restore(actor, id, at),
});
