import * as templates from '#lib/catalog/service/unit-template.ts';
import { sixEndpoints } from '#lib/http/six-endpoints.ts';

const { list, get, create, edit, remove, restore } = templates;

export const { GET, POST, record, restored } = sixEndpoints(
  {
    right: 'admin.product.service-unit',
    about:
      'Templates of service units. A new company gets a copy of each; editing a template leaves its copies ' +
      'unchanged.',
    query: templates.List,
    embeds: templates.Embeds,
    body: templates.ServiceUnitTemplateInput,
    response: templates.ServiceUnitTemplate,
    store: { note: 'Companies created later also get a copy.' },
  },
  { list, get, create, edit, remove, restore },
);
