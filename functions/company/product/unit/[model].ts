import * as units from '#lib/catalog/unit/unit.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const GET = endpoint({
  right: 'company.product.unit.show',
  query: units.Embeds,
  response: units.Unit,
  run: ({ actor, id, query }) => units.get(actor, id, query),
});

export const PUT = endpoint({
  right: 'company.product.unit.update',
  body: units.UnitInput,
  response: units.Unit,
  run: ({ actor, id, body, at }) => units.edit(actor, id, body, at),
});

export const DELETE = endpoint({
  right: 'company.product.unit.destroy',
  run: ({ actor, id, at }) => units.remove(actor, id, at),
});
