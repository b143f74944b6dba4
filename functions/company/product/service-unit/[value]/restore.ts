import * as units from '#lib/catalog/service/unit.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { Confirmation } from '#lib/http/wire/answer.ts';

export const DELETE = endpoint({
  right: 'company.product.service-unit.restore',
  answers: Confirmation,
  run: ({ actor, id, at }) => units.restore(actor, id, at),
});
