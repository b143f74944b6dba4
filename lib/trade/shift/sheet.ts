import { cashboxEmbed } from '#lib/cash/desk/cashbox.ts';
import { companyEmbed } from '#lib/people/company/company.ts';
import { creatorEmbed, nameOfUserItem } from '#lib/people/user/user.ts';
import { documentSheet } from '#lib/records/sheet.ts';
import { StoredShift, shifts } from './record.ts';
import type { ShiftSummary } from './summary.ts';

/** The fields for the workbook. */
const Row = StoredShift.pick({
  id: true,
  opened_at: true,
  closed_at: true,
  status: true,
  company_id: true,
  cashbox_id: true,
  creator_id: true,
  opening_comment: true,
  closing_comment: true,
  summary: true,
});

/** The list of shifts as a workbook, with the totals of closed ones in their sale currency. */
export const shiftSheet = documentSheet(shifts, Row, 'sheet.shifts', ({ column, words, linked }) => [
  column('column.number', 'number', ({ id }) => id),
  column('column.opened_at', 'moment', ({ opened_at }) => opened_at),
  column('column.closed_at', 'moment', ({ closed_at }) => closed_at),
  words('column.status', ({ status }) => `shift.status.${status}`),
  linked('column.company', companyEmbed),
  linked('column.cashbox', cashboxEmbed),
  linked('column.creator', creatorEmbed, nameOfUserItem),
  column('column.checks_count', 'number', ({ summary }) => summary?.checks_count),
  column('column.returns_count', 'number', ({ summary }) => summary?.returns_count),
  column('column.currency', 'text', ({ summary }) => summary?.currency.toUpperCase()),
  column('column.expected', 'money', ({ summary }) => totalOf(summary)?.expected),
  column('column.actual', 'money', ({ summary }) => totalOf(summary)?.actual),
  column('column.difference', 'money', ({ summary }) => totalOf(summary)?.difference),
  column(
    'column.comment',
    'text',
    ({ closing_comment, opening_comment }) => closing_comment ?? opening_comment,
  ),
]);

function totalOf(summary: ShiftSummary | null) {
  return summary?.totals.find(({ currency }) => currency === summary.currency);
}
