import * as options from '#lib/catalog/option.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { listing } from '#lib/http/listing.ts';

export const GET = listing({
  right: 'company.product.option.index',
  query: options.List,
  rows: options.Option,
  run: ({ actor, query }) => options.list(actor, query),
});

export const POST = endpoint({
  right: 'company.product.option.store',
  body: options.OptionInput,
  response: options.Option,
  run: ({ actor, body, at }) => options.create(actor, body, at),
});
