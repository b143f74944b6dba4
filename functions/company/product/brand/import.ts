import { IMPORTS } from '#lib/access/throttle.ts';
import { BrandWorkbook, importBrands } from '#lib/catalog/brand-import.ts';
import { ImportOutcome } from '#lib/files/import-outcome.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const POST = endpoint({
  right: 'company.product.brand.import',
  limit: IMPORTS,
  accepts: 'multipart',
  body: BrandWorkbook,
  answers: ImportOutcome,
  run: ({ actor, body, at, locale }) => importBrands(actor, body, { at, locale }),
});
