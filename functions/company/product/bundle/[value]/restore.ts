import * as bundles from '#lib/catalog/bundle.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { Confirmation } from '#lib/http/wire/answer.ts';

export const DELETE = endpoint({
  right: 'company.product.bundle.restore',
  answers: Confirmation,
  run: ({ actor, id, at }) => bundles.restore(actor, id, at),
});
