import * as bundles from '#lib/catalog/bundle.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { listing } from '#lib/http/listing.ts';

export const GET = listing({
  right: 'company.product.bundle.index',
  query: bundles.List,
  rows: bundles.Bundle,
  note: 'The first 20 products of each bundle include their cards; `GET` of a single bundle includes all.',
  run: ({ actor, query }) => bundles.list(actor, query),
});

export const POST = endpoint({
  right: 'company.product.bundle.store',
  body: bundles.BundleInput,
  response: bundles.Bundle,
  run: ({ actor, body, at }) => bundles.create(actor, body, at),
});
