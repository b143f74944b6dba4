import * as templates from '#lib/catalog/unit/template.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { listing } from '#lib/http/listing.ts';

export const GET = listing({
  right: 'admin.product.unit.index',
  query: templates.List,
  rows: templates.UnitTemplate,
  run: ({ actor, query }) => templates.list(actor, query),
});

export const POST = endpoint({
  right: 'admin.product.unit.store',
  body: templates.UnitTemplateInput,
  response: templates.UnitTemplate,
  uses: ['queue:copy-unit'],
  note:
    'Every family gets a copy: the first fifty before the response, the rest shortly after. A family has one ' +
    'copy of a template even if it renames it; a family that already uses the name gets none.',
  run: ({ actor, body, at }) => templates.create(actor, body, at),
});
