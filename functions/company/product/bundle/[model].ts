import * as bundles from '#lib/catalog/bundle.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const GET = endpoint({
  right: 'company.product.bundle.show',
  query: bundles.BundleEmbeds,
  response: bundles.Bundle,
  run: ({ actor, id, query }) => bundles.get(actor, id, query),
});

export const PUT = endpoint({
  right: 'company.product.bundle.update',
  body: bundles.BundleEdit,
  response: bundles.Bundle,
  run: ({ actor, id, body, at }) => bundles.edit(actor, id, body, at),
});

export const DELETE = endpoint({
  right: 'company.product.bundle.destroy',
  run: ({ actor, id, at }) => bundles.remove(actor, id, at),
});
