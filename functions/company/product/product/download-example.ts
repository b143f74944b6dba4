import { IMPORTS } from '#lib/auth/rate-limit.ts';
import { exampleProducts } from '#lib/catalog/product/workbook.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { FileContent } from '#lib/http/wire/response.ts';

export const GET = endpoint({
  right: 'company.product.product.download-example',
  limit: IMPORTS,
  response: FileContent,
  uses: ['table:write'],
  run: ({ locale }) => exampleProducts(locale),
});
