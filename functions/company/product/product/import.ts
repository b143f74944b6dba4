import { IMPORTS } from '#lib/auth/rate-limit.ts';
import { importProducts } from '#lib/catalog/product/import.ts';
import { ProductWorkbook } from '#lib/catalog/product/workbook.ts';
import { ImportOutcome } from '#lib/files/import-outcome.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { checkFloors } from '#lib/stock/price-floors.ts';

export const POST = endpoint({
  right: 'company.product.product.import',
  mayNeed: { 'company.product.product.update': 'mode', 'company.product.product.restore': 'mode' },
  limit: IMPORTS,
  accepts: 'multipart',
  body: ProductWorkbook,
  response: ImportOutcome,
  note:
    'With the form field `mode=update` a known barcode updates its product: empty cells keep the current ' +
    'value, a deleted product is restored. This requires the right to edit products, and for restored rows ' +
    'the right to restore: 403. Without the field a known barcode is 422. A deleted brand is known only to the products that have it. Imports all rows or none. With `dry_run=true` the response is the same, and nothing is written. More ' +
    'columns may follow those of the example, in the order of the list as a workbook: `mxik`, `package_code`, ' +
    '`is_marked` as 1 or 0, `barcodes` as `code*quantity`, one a line, whose names stay, `article`, ' +
    '`vat_percent`, `min_price`, `min_quantity`, and then one for each price type, known by its heading: a word, ' +
    'a colon, and its name; its cells are such as `10.5 usd`. Up to 1 000 rows with 4 000 barcodes. Only the first visible sheet is read. 422 on a cell with an error, a formula without a result, a code in a ' +
    'number cell that loses digits there (over 15, or a fraction; formats such as `0000000000000` pad it), ' +
    'and an ambiguous price such as `12,500`.',
  run: ({ actor, body, at, locale }) => importProducts(actor, body, { at, locale, checkFloors }),
});
