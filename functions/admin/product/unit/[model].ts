import * as templates from '#lib/catalog/unit/template.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const GET = endpoint({
  right: 'admin.product.unit.show',
  query: templates.Embeds,
  response: templates.UnitTemplate,
  run: ({ actor, id, query }) => templates.get(actor, id, query),
});

export const PUT = endpoint({
  right: 'admin.product.unit.update',
  body: templates.UnitTemplateInput,
  response: templates.UnitTemplate,
  run: ({ actor, id, body, at }) => templates.edit(actor, id, body, at),
});

export const DELETE = endpoint({
  right: 'admin.product.unit.destroy',
  run: ({ actor, id, at }) => templates.remove(actor, id, at),
});
