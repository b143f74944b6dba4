import * as units from '#lib/catalog/unit/unit.ts';
import { sixEndpoints } from '#lib/http/six-endpoints.ts';

const { list, get, create, edit, remove, restore } = units;

export const { GET, POST, record, restored } = sixEndpoints(
  {
    right: 'company.product.unit',
    about: "Units of products: copies of templates and own units. A unit with products can't be deleted.",
    query: units.List,
    embeds: units.Embeds,
    body: units.UnitInput,
    response: units.Unit,
  },
  { list, get, create, edit, remove, restore },
);
