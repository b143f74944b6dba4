import { cashboxEmbed } from '#lib/cash/desk/cashbox.ts';
import { deskPostings, Posting } from '#lib/cash/posting/record.ts';
import { sourceEmbed } from '#lib/cash/posting/source.ts';
import { companyEmbed } from '#lib/people/company/company.ts';
import { creatorEmbed, nameOfUserItem } from '#lib/people/user/user.ts';
import { documentSheet } from '#lib/records/sheet.ts';
import { onlyAt, onlyManual, requireDesk } from './read.ts';

/** The fields for the workbook. */
const Row = Posting.pick({
  id: true,
  created_at: true,
  company_id: true,
  cashbox_id: true,
  creator_id: true,
  type: true,
  payment_type: true,
  currency: true,
  amount: true,
  status: true,
  source_type: true,
  source_id: true,
  is_returned: true,
  cancel_comment: true,
  comment: true,
});

const whole = documentSheet(deskPostings, Row, 'sheet.operations', ({ column, words, linked }) => [
  column('column.number', 'number', ({ id }) => id),
  column('column.created_at', 'moment', ({ created_at }) => created_at),
  words('column.status', ({ status, is_returned }) =>
    is_returned ? 'operation.status.returned' : `operation.status.${status}`,
  ),
  words('column.type', ({ type }) => `operation.type.${type}`),
  words('column.source_type', ({ source_type }) => `operation.source.${source_type}`),
  linked('column.source', sourceEmbed),
  linked('column.company', companyEmbed),
  linked('column.cashbox', cashboxEmbed),
  linked('column.creator', creatorEmbed, nameOfUserItem),
  words('column.payment_type', ({ payment_type }) => `column.${payment_type}`),
  column('column.currency', 'text', ({ currency }) => currency.toUpperCase()),
  column('column.amount', 'money', ({ amount }) => amount),
  column('column.comment', 'text', ({ cancel_comment, comment }) => cancel_comment ?? comment),
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
