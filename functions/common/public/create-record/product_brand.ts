import * as brands from '#lib/catalog/brand.ts';
import { quickCreation } from '#lib/http/quick-creation.ts';

export const POST = quickCreation({
  body: brands.BrandName,
  response: brands.Brand,
  note: 'All types share three calls a minute, and every call counts.',
  run: ({ actor, body, at }) => brands.createNamedBrand(actor, body.name, at),
});
