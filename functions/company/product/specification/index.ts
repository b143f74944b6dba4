import * as specifications from '#lib/catalog/specification.ts';
import { sixEndpoints } from '#lib/http/six-endpoints.ts';

const { list, get, create, edit, remove, restore } = specifications;

export const { GET, POST, record, restored } = sixEndpoints(
  {
    right: 'company.product.specification',
    about: "Properties of products. A specification with options can't be deleted.",
    query: specifications.List,
    embeds: specifications.Embeds,
    body: specifications.SpecificationInput,
    response: specifications.Specification,
    destroy: {
      note:
        "400 if the specification has options. Its deleted options can't be restored while the specification is " +
        'deleted.',
    },
  },
  { list, get, create, edit, remove, restore },
);
