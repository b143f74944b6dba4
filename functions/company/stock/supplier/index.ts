import { sixEndpoints } from '#lib/http/six-endpoints.ts';
import { supplierSheet } from '#lib/stock/supplier/import.ts';
import * as suppliers from '#lib/stock/supplier/supplier.ts';

const { list, get, create, edit, patch, remove, restore } = suppliers;

export const { GET, POST, record, restored } = sixEndpoints(
  {
    right: 'company.stock.supplier',
    about:
      'Suppliers and the amounts payable to them: the sum of operations made by goods receipts, payments, ' +
      "write-offs and adjustments. A supplier with a balance in any currency can't be deleted.",
    query: suppliers.List,
    sheet: supplierSheet,
    embeds: suppliers.Embeds,
    body: suppliers.SupplierInput,
    patchBody: suppliers.SupplierPatch,
    response: suppliers.Supplier,
    index: {
      note:
        '`balances` are the amounts payable: goods receipts increase them, payments and write-offs decrease them, ' +
        'and an advance is negative.',
    },
  },
  { list, get, create, edit, patch, remove, restore },
);
