import { sixEndpoints } from '#lib/http/six-endpoints.ts';
import * as neighbourhoods from '#lib/regions/neighbourhood.ts';

const { list, get, create, edit, remove, restore } = neighbourhoods;

export const { GET, POST, record, restored } = sixEndpoints(
  {
    right: 'admin.region.mfy',
    about: 'Neighbourhoods. A name is unique within its district.',
    query: neighbourhoods.List,
    embeds: neighbourhoods.Embeds,
    body: neighbourhoods.NeighbourhoodInput,
    response: neighbourhoods.Neighbourhood,
  },
  { list, get, create, edit, remove, restore },
);
