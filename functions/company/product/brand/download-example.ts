import { IMPORTS } from '#lib/auth/rate-limit.ts';
import { exampleBrands } from '#lib/catalog/brand-import.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { FileContent } from '#lib/http/wire/response.ts';

export const GET = endpoint({
  right: 'company.product.brand.download-example',
  limit: IMPORTS,
  response: FileContent,
  uses: ['table:write'],
  run: ({ locale }) => exampleBrands(locale),
});
