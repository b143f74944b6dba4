import * as templates from '#lib/catalog/unit-template.ts';
import { Confirmation } from '#lib/http/answer.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const GET = endpoint({
  right: 'admin.product.unit.show',
  query: templates.UnitTemplateEmbeds,
  answers: templates.UnitTemplate,
  run: ({ id, query }) => templates.get(id, query),
});

export const PUT = endpoint({
  right: 'admin.product.unit.update',
  body: templates.UnitTemplateInput,
  answers: templates.UnitTemplate,
  run: ({ id, body, at }) => templates.edit(id, body, at),
});

export const DELETE = endpoint({
  right: 'admin.product.unit.destroy',
  answers: Confirmation,
  run: ({ id, at }) => templates.remove(id, at),
});
