import { IMPORTS } from '#lib/auth/rate-limit.ts';
import { importProducts } from '#lib/catalog/product/import.ts';
import { ProductWorkbook } from '#lib/catalog/product/workbook.ts';
import { ImportOutcome } from '#lib/files/import-outcome.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { checkFloors } from '#lib/stock/price-floors.ts';

export const POST = endpoint({
  right: 'company.product.product.import',
  limit: IMPORTS,
  accepts: 'multipart',
  body: ProductWorkbook,
  response: ImportOutcome,
  note:
    'With the field `mode=update` a barcode that the family has changes its product: an empty cell keeps what is ' +
    'there, a deleted product is restored. That needs the right to change products too, and a row that restores ' +
    'the one to restore them: 403. Without the field such a barcode is 422. All rows, or none. Behind the columns ' +
    'of the example three more may stand: `mxik`, `package_code`, and `is_marked` as 1 or 0. The first visible ' +
    'sheet is read. 422 on its cell is an error, a formula without a result, a code in a number cell that loses ' +
    'digits there (over 15, or a fraction; formats such as `0000000000000` pad it), and a price such as `12,500`, ' +
    'which may mean either.',
  run: ({ actor, body, at, locale }) => importProducts(actor, body, { at, locale, checkFloors }),
});
