import { tallyName } from '#lib/cash/desk/open-shift.ts';
import type { DepositEntry } from '#lib/clients/deposit/record.ts';
import { type StoredShift, shifts } from '#lib/trade/shift/record.ts';
import type { ShiftRow, ShiftSummary } from '#lib/trade/shift/summary.ts';
import { nameOf, totalAmount } from '#lib/values/money.ts';
import type { Books } from '../frame/books.ts';
import { everyOf } from '../frame/documents.ts';
import { faultUnless } from '../frame/ledger.ts';
import { addRepaymentEntry, assignToShifts, countFaults, type ShiftEntries } from '../sales/shift-entries.ts';
import { tallyFaults } from './tallies.ts';

/**
 * Checks every shift: the frozen sums of a closed one match its postings and documents, its rows and totals
 * follow from these, and postings made by shifts belong to one. An open one is checked with its desk.
 */
export async function checkShifts(
  books: Books,
  entries: ShiftEntries,
  repayments: readonly DepositEntry[],
): Promise<void> {
  const known = new Set<number>();
  for (const entry of repayments) addRepaymentEntry(entries, entry);
  const attributed = assignToShifts(entries);
  for await (const shift of everyOf(books.tenant, shifts)) {
    known.add(shift.id);
    books.count('shifts');
    const faults = [...shiftFaults(books, shift), ...countFaults(attributed, shift)];
    books.reportRecord({ book: 'shifts', noun: 'shift', type: shifts.type, id: shift.id }, faults);
  }
  for (const [id, { source_type, source_id, shift_id }] of books.postings.withoutDocument()) {
    if (source_type === 'shift' && source_id === shift_id && known.has(source_id)) books.postings.tie(id);
  }
}

function shiftFaults(books: Books, { id, status, summary }: StoredShift): string[] {
  if ((status === 'closed') !== (summary !== null)) return [`is ${status}, and its summary is not`];
  if (!summary) return [];
  const stated = summary.transactions.map((each) => [tallyName(each), [each.count, each.amount]] as const);
  return [...tallyFaults(books, id, stated), ...summaryFaults(summary)];
}

/** Checks that the rows and totals of a closed shift follow from its transactions. */
function summaryFaults(summary: ShiftSummary): string[] {
  return [
    ...summary.rows.flatMap((row) => rowFaults(row, summary)),
    ...summary.totals.flatMap((total) => totalFaults(total, summary)),
  ];
}

/** Checks that a row follows from the shift's postings. Only its closing collects from a desk. */
function rowFaults(row: ShiftRow, { transactions }: ShiftSummary): string[] {
  const own = transactions.filter((each) => nameOf(each) === nameOf(row));
  const sumOf = (type: string, isOf: (source: string) => boolean) =>
    totalAmount(own.filter((each) => each.type === type && isOf(each.source_type)));
  const isOwn = (source: string) => source === 'shift';
  const { opening_balance, opening_amount, opening, income, outcome, expected, actual, transferred } = row;
  const follows: Readonly<Record<string, boolean>> = {
    opening: opening === opening_balance + opening_amount,
    income: income === sumOf('income', (source) => !isOwn(source)),
    outcome: outcome === sumOf('outcome', (source) => !isOwn(source) && source !== 'collection'),
    expected: expected === opening + income - outcome,
    difference: row.difference === actual - expected,
    'what it posted': opening_amount + row.difference === sumOf('income', isOwn) - sumOf('outcome', isOwn),
    transferred: transferred === sumOf('outcome', (source) => source === 'collection'),
    left: row.left === actual - transferred && row.left >= 0,
  };
  const wrong = Object.keys(follows).filter((name) => !follows[name]);
  return wrong.map((name) => `${name} of ${row.payment_type} ${row.currency} does not follow`);
}

const SUMMED = [
  ...(['opening', 'income', 'outcome', 'expected'] as const),
  ...(['actual', 'difference', 'transferred', 'left'] as const),
];

function totalFaults(total: ShiftSummary['totals'][number], { rows }: ShiftSummary): string[] {
  const own = rows.filter(({ currency }) => currency === total.currency);
  const isSummed = SUMMED.every((name) => total[name] === own.reduce((sum, row) => sum + row[name], 0));
  const isSplit = total.cash + total.non_cash === total.actual;
  return faultUnless(isSummed && isSplit, `its total in ${total.currency} is not that of its rows`);
}
