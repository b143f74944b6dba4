import * as services from '#lib/catalog/service/service.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const GET = endpoint({
  right: 'company.product.service.show',
  query: services.Embeds,
  response: services.Service,
  run: ({ actor, id, query }) => services.get(actor, id, query),
});

export const PUT = endpoint({
  right: 'company.product.service.update',
  body: services.ServiceInput,
  response: services.Service,
  run: ({ actor, id, body, at }) => services.edit(actor, id, body, at),
});

export const DELETE = endpoint({
  right: 'company.product.service.destroy',
  run: ({ actor, id, at }) => services.remove(actor, id, at),
});
