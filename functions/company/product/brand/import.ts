import { IMPORTS } from '#lib/auth/rate-limit.ts';
import { BrandWorkbook, importBrands } from '#lib/catalog/brand-import.ts';
import { ImportOutcome } from '#lib/files/import-outcome.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const POST = endpoint({
  right: 'company.product.brand.import',
  limit: IMPORTS,
  accepts: 'multipart',
  body: BrandWorkbook,
  response: ImportOutcome,
  note:
    'The first visible sheet is read, of it column A below the header. Names are checked as those of cards are, ' +
    'each at `rows.<number>.name`; an error, or a formula without a result, is 422 on its cell.',
  run: ({ actor, body, at, locale }) => importBrands(actor, body, { at, locale }),
});
