import * as templates from '#lib/catalog/service-unit-template.ts';
import { Confirmation } from '#lib/http/answer.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const GET = endpoint({
  right: 'admin.product.service-unit.show',
  query: templates.ServiceUnitTemplateEmbeds,
  answers: templates.ServiceUnitTemplate,
  run: ({ id, query }) => templates.get(id, query),
});

export const PUT = endpoint({
  right: 'admin.product.service-unit.update',
  body: templates.ServiceUnitTemplateInput,
  answers: templates.ServiceUnitTemplate,
  run: ({ id, body, at }) => templates.edit(id, body, at),
});

export const DELETE = endpoint({
  right: 'admin.product.service-unit.destroy',
  answers: Confirmation,
  run: ({ id, at }) => templates.remove(id, at),
});
