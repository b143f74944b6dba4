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
    'Reads column A below the header of the first visible sheet. Names are validated as in a single request, ' +
    'with errors at `rows.<number>.name`; an error cell, or a formula without a result, is 422. With `dry_run=true` the ' +
    'response is the same, and nothing is written.',
  run: ({ actor, body, at, locale }) => importBrands(actor, body, { at, locale }),
});
