import { IMPORTS } from '#lib/access/throttle.ts';
import { exampleBrands } from '#lib/catalog/brand-import.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { FileContent } from '#lib/http/wire/answer.ts';

export const GET = endpoint({
  right: 'company.product.brand.download-example',
  limit: IMPORTS,
  answers: FileContent,
  uses: ['table:write'],
  run: ({ locale }) => exampleBrands(locale),
});
