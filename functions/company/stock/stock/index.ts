import { sixEndpoints } from '#lib/http/six-endpoints.ts';
import * as warehouses from '#lib/stock/warehouse.ts';

const { list, get, create, edit, remove, restore } = warehouses;

export const { GET, POST, record, restored } = sixEndpoints(
  {
    right: 'company.stock.stock',
    query: warehouses.List,
    embeds: warehouses.Embeds,
    body: warehouses.WarehouseInput,
    response: warehouses.Warehouse,
  },
  { list, get, create, edit, remove, restore },
);
