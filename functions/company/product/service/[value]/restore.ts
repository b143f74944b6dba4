import * as services from '#lib/catalog/service/service.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const DELETE = endpoint({
  right: 'company.product.service.restore',
  run: ({ actor, id, at }) => services.restore(actor, id, at),
});
