import { IMPORTS } from '#lib/auth/rate-limit.ts';
import { ImportOutcome } from '#lib/files/import-outcome.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { importSuppliers, SupplierWorkbook } from '#lib/stock/supplier/import.ts';

export const POST = endpoint({
  right: 'company.stock.supplier.import',
  limit: IMPORTS,
  accepts: 'multipart',
  body: SupplierWorkbook,
  response: ImportOutcome,
  mayNeed: { 'company.stock.supplier.update': null, 'company.stock.supplier.restore': null },
  note:
    'Imports all rows or none, up to 1 000. With the form field `mode=update` a row changes the supplier of its ' +
    '`external_id`, else of its name: empty cells keep the current value, a deleted supplier is restored. This ' +
    'requires the right to edit suppliers, and for restored rows the right to restore: 403. Without the field a ' +
    'known supplier is 422. With `dry_run=true` the response is the same, and nothing is written.',
  run: ({ actor, body, at, locale }) => importSuppliers(actor, body, { at, locale }),
});
