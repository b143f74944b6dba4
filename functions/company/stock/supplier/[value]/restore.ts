import { endpoint } from '#lib/http/endpoint.ts';
import * as suppliers from '#lib/stock/supplier/supplier.ts';

export const DELETE = endpoint({
  right: 'company.stock.supplier.restore',
  run: ({ actor, id, at }) => suppliers.restore(actor, id, at),
});
