import { deskEmbed } from '#lib/cash/desk/desk.ts';
import { deskPostings, Posting } from '#lib/cash/posting/record.ts';
import { sourceEmbed } from '#lib/cash/posting/source.ts';
import { companyColumn, creatorColumn } from '#lib/people/family-record.ts';
import { inCapitals, linkColumn, rowColumn } from '#lib/records/sheet/column.ts';
import { documentSheet } from '#lib/records/sheet/sheet.ts';
import { onlyAt, onlyManual, requireDesk } from './read.ts';

const State = Posting.pick({ status: true, is_returned: true });
const Comments = Posting.pick({ comment: true, cancel_comment: true });

const whole = documentSheet(deskPostings, Posting, 'sheet.operations', ({ column }) => [
  column('id', 'number'),
  column('created_at', 'moment'),
  rowColumn('column.status', 'text', State, ({ status, is_returned }) => ({
    key: `operation.status.${is_returned ? 'returned' : status}`,
  })),
  column('type', 'text', (type) => ({ key: `operation.type.${type}` })),
  column('source_type', 'text', (source_type) => ({ key: `operation.source.${source_type}` })),
  linkColumn('column.source', sourceEmbed),
  companyColumn,
  linkColumn('column.cashbox', deskEmbed),
  creatorColumn,
  column('payment_type', 'text', (payment_type) => ({ key: `column.${payment_type}` })),
  column('currency', 'text', inCapitals),
  column('amount', 'money'),
  rowColumn('column.comment', 'text', Comments, ({ cancel_comment, comment }) => cancel_comment ?? comment),
]);

type SheetCall = Parameters<typeof whole.give>[0];

/** The list of manual movements as a workbook. */
export const operationSheet = {
  give: (call: SheetCall) => whole.give({ ...call, query: onlyManual(call.query) }),
};

/** The list of a desk's postings as a workbook. */
export const postingSheet = {
  async give(call: SheetCall & { readonly id: number }) {
    await requireDesk(call.actor, call.id);
    return whole.give({ ...call, query: onlyAt(call.id, call.query) });
  },
};
