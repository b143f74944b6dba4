import * as templates from '#lib/catalog/service/unit-template.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const GET = endpoint({
  right: 'admin.product.service-unit.show',
  query: templates.Embeds,
  response: templates.ServiceUnitTemplate,
  run: ({ actor, id, query }) => templates.get(actor, id, query),
});

export const PUT = endpoint({
  right: 'admin.product.service-unit.update',
  body: templates.ServiceUnitTemplateInput,
  response: templates.ServiceUnitTemplate,
  run: ({ actor, id, body, at }) => templates.edit(actor, id, body, at),
});

export const DELETE = endpoint({
  right: 'admin.product.service-unit.destroy',
  run: ({ actor, id, at }) => templates.remove(actor, id, at),
});
