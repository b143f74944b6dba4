import { endpoint } from '#lib/http/endpoint.ts';
import * as suppliers from '#lib/stock/supplier/supplier.ts';

export const GET = endpoint({
  right: 'company.stock.supplier.show',
  query: suppliers.Embeds,
  response: suppliers.Supplier,
  run: ({ actor, id, query }) => suppliers.get(actor, id, query),
});

export const PUT = endpoint({
  right: 'company.stock.supplier.update',
  body: suppliers.SupplierInput,
  response: suppliers.Supplier,
  run: ({ actor, id, body, at }) => suppliers.edit(actor, id, body, at),
});

export const DELETE = endpoint({
  right: 'company.stock.supplier.destroy',
  run: ({ actor, id, at }) => suppliers.remove(actor, id, at),
});
