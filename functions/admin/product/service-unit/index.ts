import * as templates from '#lib/catalog/service/unit-template.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { listing } from '#lib/http/listing.ts';

export const GET = listing({
  right: 'admin.product.service-unit.index',
  query: templates.List,
  rows: templates.ServiceUnitTemplate,
  run: ({ actor, query }) => templates.list(actor, query),
});

export const POST = endpoint({
  right: 'admin.product.service-unit.store',
  body: templates.ServiceUnitTemplateInput,
  response: templates.ServiceUnitTemplate,
  note: 'Companies created later also get a copy.',
  run: ({ actor, body, at }) => templates.create(actor, body, at),
});
