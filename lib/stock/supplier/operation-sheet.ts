import { companyColumn, creatorColumn } from '#lib/people/family-record.ts';
import { inCapitals, rowColumn } from '#lib/records/sheet/column.ts';
import { documentSheet } from '#lib/records/sheet/sheet.ts';
import { onlyOf, SupplierOperation, supplierOperations } from './operation.ts';

const Comment = SupplierOperation.pick({ comment: true });

/** Workbook of all operations. */
const whole = documentSheet(
  supplierOperations,
  SupplierOperation,
  'sheet.supplier_operations',
  ({ column, columnUnder }) => [
    column('id', 'number'),
    column('created_at', 'moment'),
    columnUnder('column.source_type', 'type', 'text', (type) => ({ key: `supplier_operation.type.${type}` })),
    column('source_id', 'number'),
    companyColumn,
    creatorColumn,
    column('currency', 'text', inCapitals),
    column('amount', 'money'),
    rowColumn('column.comment', 'text', Comment, ({ comment }) => comment),
  ],
);

type SheetCall = Parameters<typeof whole.give>[0];

/** Workbook of a supplier's operations. */
export const supplierOperationSheet = {
  async give(call: SheetCall & { readonly id: number }) {
    return whole.give({ ...call, query: await onlyOf(call.actor, call.id, call.query) });
  },
};
