import { deskEmbed } from '#lib/cash/desk/desk.ts';
import { companyColumn, creatorColumn } from '#lib/people/family-record.ts';
import { computed, linked } from '#lib/records/sheet/column.ts';
import { documentSheet } from '#lib/records/sheet/sheet.ts';
import { StoredShift, shifts } from './record.ts';
import type { ShiftSummary } from './summary.ts';

const Comments = StoredShift.pick({ opening_comment: true, closing_comment: true });

/** The list of shifts as a workbook, with the totals of closed ones in their sale currency. */
export const shiftSheet = documentSheet(shifts, StoredShift, 'sheet.shifts', ({ column, headed }) => [
  column('id', 'number'),
  column('opened_at', 'moment'),
  column('closed_at', 'moment'),
  column('status', 'text', (status) => ({ key: `shift.status.${status}` })),
  companyColumn,
  linked('column.cashbox', deskEmbed),
  creatorColumn,
  headed('column.checks_count', 'summary', 'number', (summary) => summary?.checks_count),
  headed('column.returns_count', 'summary', 'number', (summary) => summary?.returns_count),
  headed('column.currency', 'summary', 'text', (summary) => summary?.currency.toUpperCase()),
  headed('column.expected', 'summary', 'money', (summary) => totalOf(summary)?.expected),
  headed('column.actual', 'summary', 'money', (summary) => totalOf(summary)?.actual),
  headed('column.difference', 'summary', 'money', (summary) => totalOf(summary)?.difference),
  computed('column.comment', 'text', Comments, (shift) => shift.closing_comment ?? shift.opening_comment),
]);

function totalOf(summary: ShiftSummary | null) {
  return summary?.totals.find(({ currency }) => currency === summary.currency);
}
