import { deskEmbed } from '#lib/cash/desk/desk.ts';
import { companyColumn, creatorColumn } from '#lib/people/family-record.ts';
import { linkColumn, rowColumn } from '#lib/records/sheet/column.ts';
import { documentSheet } from '#lib/records/sheet/sheet.ts';
import { StoredShift, shifts } from './record.ts';
import type { ShiftSummary } from './summary.ts';

const Comments = StoredShift.pick({ opening_comment: true, closing_comment: true });

/** Workbook of shifts, with the totals of closed ones in their sale currency. */
export const shiftSheet = documentSheet(shifts, StoredShift, 'sheet.shifts', ({ column, columnUnder }) => [
  column('id', 'number'),
  column('opened_at', 'moment'),
  column('closed_at', 'moment'),
  column('status', 'text', (status) => ({ key: `shift.status.${status}` })),
  companyColumn,
  linkColumn('column.cashbox', deskEmbed),
  creatorColumn,
  columnUnder('column.checks_count', 'summary', 'number', (summary) => summary?.checks_count),
  columnUnder('column.returns_count', 'summary', 'number', (summary) => summary?.returns_count),
  columnUnder('column.currency', 'summary', 'text', (summary) => summary?.currency.toUpperCase()),
  columnUnder('column.expected', 'summary', 'money', (summary) => totalOf(summary)?.expected),
  columnUnder('column.actual', 'summary', 'money', (summary) => totalOf(summary)?.actual),
  columnUnder('column.difference', 'summary', 'money', (summary) => totalOf(summary)?.difference),
  rowColumn('column.comment', 'text', Comments, (shift) => shift.closing_comment ?? shift.opening_comment),
]);

function totalOf(summary: ShiftSummary | null) {
  return summary?.totals.find(({ currency }) => currency === summary.currency);
}
