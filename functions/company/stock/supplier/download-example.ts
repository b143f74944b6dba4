import { IMPORTS } from '#lib/auth/rate-limit.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { FileContent } from '#lib/http/wire/response.ts';
import { exampleSuppliers } from '#lib/stock/supplier/import.ts';

export const GET = endpoint({
  right: 'company.stock.supplier.download-example',
  limit: IMPORTS,
  response: FileContent,
  uses: ['table:write'],
  run: ({ locale }) => exampleSuppliers(locale),
});
