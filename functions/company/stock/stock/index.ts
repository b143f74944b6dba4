import { sixEndpoints } from '#lib/http/six-endpoints.ts';
import * as warehouses from '#lib/stock/warehouse.ts';

const { list, get, create, edit, remove, restore } = warehouses;

export const { GET, POST, record, restored } = sixEndpoints(
  {
    right: 'company.stock.stock',
    about:
      "Warehouses. A warehouse with goods can't be deleted or moved to another company; during a stocktake " +
      'it is closed to all movements.',
    query: warehouses.List,
    embeds: warehouses.Embeds,
    body: warehouses.WarehouseInput,
    response: warehouses.Warehouse,
  },
  { list, get, create, edit, remove, restore },
);
