import { listing } from '#lib/http/listing.ts';
import { listOperations, SupplierOperation, SupplierOperationList } from '#lib/stock/supplier/operation.ts';
import { supplierOperationSheet } from '#lib/stock/supplier/operation-sheet.ts';

export const GET = listing({
  right: 'company.stock.supplier.operations',
  query: SupplierOperationList,
  rows: SupplierOperation,
  sheet: supplierOperationSheet,
  note:
    'Receipts and write-offs of the warehouses open to you, payments of the desks. All of the family add up to ' +
    'the balance. One that no longer counts has a `reversal_id`.',
  run: ({ actor, id, query }) => listOperations(actor, id, query),
});
