import * as units from '#lib/catalog/service/unit.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const GET = endpoint({
  right: 'company.product.service-unit.show',
  query: units.Embeds,
  response: units.ServiceUnit,
  run: ({ actor, id, query }) => units.get(actor, id, query),
});

export const PUT = endpoint({
  right: 'company.product.service-unit.update',
  body: units.ServiceUnitInput,
  response: units.ServiceUnit,
  run: ({ actor, id, body, at }) => units.edit(actor, id, body, at),
});

export const DELETE = endpoint({
  right: 'company.product.service-unit.destroy',
  run: ({ actor, id, at }) => units.remove(actor, id, at),
});
