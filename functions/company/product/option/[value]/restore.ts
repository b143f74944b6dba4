import * as options from '#lib/catalog/option.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { Confirmation } from '#lib/http/wire/answer.ts';

export const DELETE = endpoint({
  right: 'company.product.option.restore',
  answers: Confirmation,
  run: ({ actor, id, at }) => options.restore(actor, id, at),
});
