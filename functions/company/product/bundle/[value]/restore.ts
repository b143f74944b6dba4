import * as bundles from '#lib/catalog/bundle.ts';
import { Confirmation } from '#lib/http/answer.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const DELETE = endpoint({
  right: 'company.product.bundle.restore',
  answers: Confirmation,
  run: ({ actor, id, at }) => bundles.restore(actor, id, at),
});
