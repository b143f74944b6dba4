import { sixEndpoints } from '#lib/http/six-endpoints.ts';
import * as districts from '#lib/regions/district.ts';

const { list, get, create, edit, remove, restore } = districts;

export const { GET, POST, record, restored } = sixEndpoints(
  {
    right: 'admin.region.district',
    about: "Districts of regions. A district with neighbourhoods or companies can't be deleted.",
    query: districts.List,
    embeds: districts.Embeds,
    body: districts.DistrictInput,
    response: districts.District,
    destroy: { note: '400 if the district has neighbourhoods or companies.' },
  },
  { list, get, create, edit, remove, restore },
);
