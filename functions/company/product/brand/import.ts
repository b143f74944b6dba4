import { IMPORTS } from '#lib/access/throttle.ts';
import { BrandWorkbook, importBrands } from '#lib/catalog/brand-import.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const POST = endpoint({
  right: 'company.product.brand.import',
  limit: IMPORTS,
  accepts: 'multipart',
  body: BrandWorkbook,
  run: ({ actor, body, at }) => importBrands(actor, body, at),
});
