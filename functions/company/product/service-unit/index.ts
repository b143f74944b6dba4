import * as units from '#lib/catalog/service/unit.ts';
import { sixEndpoints } from '#lib/http/six-endpoints.ts';

const { list, get, create, edit, remove, restore } = units;

export const { GET, POST, record, restored } = sixEndpoints(
  {
    right: 'company.product.service-unit',
    about: "Units of services: copies of templates and own units. A unit with services can't be deleted.",
    query: units.List,
    embeds: units.Embeds,
    body: units.ServiceUnitInput,
    response: units.ServiceUnit,
  },
  { list, get, create, edit, remove, restore },
);
