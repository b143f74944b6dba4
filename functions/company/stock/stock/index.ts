import { endpoint } from '#lib/http/endpoint.ts';
import { listing } from '#lib/http/listing.ts';
import * as warehouses from '#lib/stock/warehouse.ts';

export const GET = listing({
  right: 'company.stock.stock.index',
  query: warehouses.List,
  rows: warehouses.Warehouse,
  run: ({ actor, query }) => warehouses.list(actor, query),
});

export const POST = endpoint({
  right: 'company.stock.stock.store',
  body: warehouses.WarehouseInput,
  response: warehouses.Warehouse,
  run: ({ actor, body, at }) => warehouses.create(actor, body, at),
});
