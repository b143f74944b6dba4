import * as brands from '#lib/catalog/brand.ts';
import { quickCreation } from '#lib/http/quick-creation.ts';

export const POST = quickCreation({
  body: brands.BrandName,
  response: brands.Brand,
  note: 'Limited to three requests a minute over all types, successful or not.',
  run: ({ actor, body, at }) => brands.createNamedBrand(actor, body.name, at),
});
