import { endpoint } from '#lib/http/endpoint.ts';
import * as warehouses from '#lib/stock/warehouse.ts';

export const DELETE = endpoint({
  right: 'company.stock.stock.restore',
  run: ({ actor, id, at }) => warehouses.restore(actor, id, at),
});
