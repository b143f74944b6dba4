import * as brands from '#lib/catalog/brand.ts';
import { sixEndpoints } from '#lib/http/six-endpoints.ts';

const { list, get, create, edit, remove, restore } = brands;

export const { GET, POST, record, restored } = sixEndpoints(
  {
    right: 'company.product.brand',
    about: 'Brands, shared by a company and its branches. Importable from Excel, 500 rows at once.',
    query: brands.List,
    embeds: brands.Embeds,
    body: brands.BrandInput,
    response: brands.Brand,
    store: { accepts: 'multipart', uses: ['public:write', 'queue:discard-files'] },
    update: { accepts: 'multipart', uses: ['public:write', 'queue:discard-files'] },
  },
  { list, get, create, edit, remove, restore },
);
