import * as bundles from '#lib/catalog/bundle.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const DELETE = endpoint({
  right: 'company.product.bundle.restore',
  run: ({ actor, id, at }) => bundles.restore(actor, id, at),
});
