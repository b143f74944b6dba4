import * as templates from '#lib/catalog/unit/template.ts';
import { sixEndpoints } from '#lib/http/six-endpoints.ts';

const { list, get, create, edit, remove, restore } = templates;

export const { GET, POST, record, restored } = sixEndpoints(
  {
    right: 'admin.product.unit',
    about:
      'Templates of units. A new template is copied to all families; editing it leaves the copies ' +
      "unchanged. A template whose unit has products can't be deleted.",
    query: templates.List,
    embeds: templates.Embeds,
    body: templates.UnitTemplateInput,
    response: templates.UnitTemplate,
    store: {
      uses: ['queue:copy-unit'],
      note:
        'Every family gets a copy: the first fifty before the response, the rest shortly after. A family has one ' +
        'copy of a template even if it renames it; a family that already uses the name gets none.',
    },
  },
  { list, get, create, edit, remove, restore },
);
