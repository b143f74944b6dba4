import { IMPORTS } from '#lib/access/throttle.ts';
import { importProducts } from '#lib/catalog/product/import.ts';
import { ProductWorkbook } from '#lib/catalog/product/workbook.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const POST = endpoint({
  right: 'company.product.product.import',
  limit: IMPORTS,
  accepts: 'multipart',
  body: ProductWorkbook,
  run: ({ actor, body, at }) => importProducts(actor, body, at),
});
