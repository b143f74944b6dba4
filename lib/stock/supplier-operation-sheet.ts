import { companyEmbed } from '#lib/people/company/company.ts';
import { creatorEmbed, nameOfUserItem } from '#lib/people/user/user.ts';
import { documentSheet } from '#lib/records/sheet.ts';
import { onlyOf, SupplierOperation, supplierOperations } from './supplier-operation.ts';

/** What the workbook looks at. */
const Row = SupplierOperation.pick({
  id: true,
  created_at: true,
  type: true,
  company_id: true,
  creator_id: true,
  source_id: true,
  currency: true,
  amount: true,
});

/** All operations there are, as a workbook. */
const whole = documentSheet(
  supplierOperations,
  Row,
  'sheet.supplier_operations',
  ({ column, words, linked }) => [
    column('column.number', 'number', ({ id }) => id),
    column('column.created_at', 'moment', ({ created_at }) => created_at),
    words('column.source_type', ({ type }) => `supplier_operation.type.${type}`),
    column('column.source_id', 'number', ({ source_id }) => source_id),
    linked('column.company', companyEmbed),
    linked('column.creator', creatorEmbed, nameOfUserItem),
    column('column.currency', 'text', ({ currency }) => currency.toUpperCase()),
    column('column.amount', 'money', ({ amount }) => amount),
  ],
);

type SheetCall = Parameters<typeof whole.give>[0];

/** The list of a supplier's operations as a workbook. */
export const supplierOperationSheet = {
  async give(call: SheetCall & { readonly id: number }) {
    return whole.give({ ...call, query: await onlyOf(call.actor, call.id, call.query) });
  },
};
