import { endpoint } from '#lib/http/endpoint.ts';
import { listing } from '#lib/http/listing.ts';
import * as suppliers from '#lib/stock/supplier/supplier.ts';

export const GET = listing({
  right: 'company.stock.supplier.index',
  query: suppliers.List,
  rows: suppliers.Supplier,
  note:
    '`balances` are the amounts payable: goods receipts increase them, payments and write-offs decrease them, ' +
    'and an advance is negative.',
  run: ({ actor, query }) => suppliers.list(actor, query),
});

export const POST = endpoint({
  right: 'company.stock.supplier.store',
  body: suppliers.SupplierInput,
  response: suppliers.Supplier,
  run: ({ actor, body, at }) => suppliers.create(actor, body, at),
});
