import * as services from '#lib/catalog/service/service.ts';
import { Confirmation } from '#lib/http/answer.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const DELETE = endpoint({
  right: 'company.product.service.restore',
  answers: Confirmation,
  run: ({ actor, id, at }) => services.restore(actor, id, at),
});
