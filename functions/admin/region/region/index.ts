import { sixEndpoints } from '#lib/http/six-endpoints.ts';
import * as regions from '#lib/regions/region.ts';

const { list, get, create, edit, remove, restore } = regions;

export const { GET, POST, record, restored } = sixEndpoints(
  {
    right: 'admin.region.region',
    about: "Regions. A region with districts can't be deleted.",
    query: regions.List,
    embeds: regions.Embeds,
    body: regions.RegionInput,
    response: regions.Region,
    destroy: {
      note: "400 if the region has districts. Its deleted districts can't be restored while the region is deleted.",
    },
  },
  { list, get, create, edit, remove, restore },
);
