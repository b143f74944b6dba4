import * as specifications from '#lib/catalog/specification.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { Confirmation } from '#lib/http/wire/answer.ts';

export const DELETE = endpoint({
  right: 'company.product.specification.restore',
  answers: Confirmation,
  run: ({ actor, id, at }) => specifications.restore(actor, id, at),
});
