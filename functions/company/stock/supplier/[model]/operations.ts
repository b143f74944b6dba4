import { listing } from '#lib/http/listing.ts';
import { listOperations, SupplierOperation, SupplierOperationList } from '#lib/stock/supplier/operation.ts';
import { supplierOperationSheet } from '#lib/stock/supplier/operation-sheet.ts';

export const GET = listing({
  right: 'company.stock.supplier.operations',
  query: SupplierOperationList,
  rows: SupplierOperation,
  sheet: supplierOperationSheet,
  note:
    'Goods receipts and write-offs of accessible warehouses, payments of accessible desks. All operations of ' +
    'the family add up to the balance. A reversed operation has a `reversal_id`.',
  run: ({ actor, id, query }) => listOperations(actor, id, query),
});
