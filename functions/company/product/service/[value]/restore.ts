import * as services from '#lib/catalog/service/service.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { Confirmation } from '#lib/http/wire/answer.ts';

export const DELETE = endpoint({
  right: 'company.product.service.restore',
  answers: Confirmation,
  run: ({ actor, id, at }) => services.restore(actor, id, at),
});
