import { IMPORTS } from '#lib/access/throttle.ts';
import { importProducts } from '#lib/catalog/product/import.ts';
import { ProductWorkbook } from '#lib/catalog/product/workbook.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { Confirmation } from '#lib/http/wire/answer.ts';

export const POST = endpoint({
  right: 'company.product.product.import',
  limit: IMPORTS,
  accepts: 'multipart',
  body: ProductWorkbook,
  answers: Confirmation,
  run: ({ actor, body, at }) => importProducts(actor, body, at),
});
