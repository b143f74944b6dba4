import { sixEndpoints } from '#lib/http/six-endpoints.ts';
import * as suppliers from '#lib/stock/supplier/supplier.ts';

const { list, get, create, edit, remove, restore } = suppliers;

export const { GET, POST, record, restored } = sixEndpoints(
  {
    right: 'company.stock.supplier',
    query: suppliers.List,
    embeds: suppliers.Embeds,
    body: suppliers.SupplierInput,
    response: suppliers.Supplier,
    index: {
      note:
        '`balances` are the amounts payable: goods receipts increase them, payments and write-offs decrease them, ' +
        'and an advance is negative.',
    },
  },
  { list, get, create, edit, remove, restore },
);
