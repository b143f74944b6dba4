import { endpoint } from '#lib/http/endpoint.ts';
import * as warehouses from '#lib/stock/warehouse.ts';

export const GET = endpoint({
  right: 'company.stock.stock.show',
  query: warehouses.Embeds,
  response: warehouses.Warehouse,
  run: ({ actor, id, query }) => warehouses.get(actor, id, query),
});

export const PUT = endpoint({
  right: 'company.stock.stock.update',
  body: warehouses.WarehouseInput,
  response: warehouses.Warehouse,
  run: ({ actor, id, body, at }) => warehouses.edit(actor, id, body, at),
});

export const DELETE = endpoint({
  right: 'company.stock.stock.destroy',
  run: ({ actor, id, at }) => warehouses.remove(actor, id, at),
});
