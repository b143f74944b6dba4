import * as brands from '#lib/catalog/brand.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const GET = endpoint({
  right: 'company.product.brand.show',
  query: brands.Embeds,
  response: brands.Brand,
  run: ({ actor, id, query }) => brands.get(actor, id, query),
});

export const PUT = endpoint({
  right: 'company.product.brand.update',
  accepts: 'multipart',
  body: brands.BrandInput,
  response: brands.Brand,
  uses: ['public:write', 'queue:discard-files'],
  run: ({ actor, id, body, at }) => brands.edit(actor, id, body, at),
});

export const DELETE = endpoint({
  right: 'company.product.brand.destroy',
  run: ({ actor, id, at }) => brands.remove(actor, id, at),
});
