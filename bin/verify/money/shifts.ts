import { tallyName } from '#lib/cash/desk/open-shift.ts';
import { recordKey } from '#lib/table/keys.ts';
import { type StoredShift, shifts } from '#lib/trade/shift/record.ts';
import { attribute, countFaults, type Occasions } from '../cheques/occasions.ts';
import type { Books } from '../frame/books.ts';
import { everyOf } from '../frame/documents.ts';
import type { DeskBook } from './desks.ts';
import { summaryFaults } from './summaries.ts';
import { type Tallies, tallyFaults } from './tallies.ts';

/**
 * Checks every shift: what a closed one froze is what its postings and documents come to, its rows and
 * totals follow from that, and what shifts post themselves is of a shift. An open one is judged by its desk.
 */
export async function checkShifts(
  books: Books,
  { postings, tallies }: DeskBook,
  occasions: Occasions,
): Promise<void> {
  const known = new Set<number>();
  const attributed = attribute(occasions);
  for await (const shift of everyOf(books.home, shifts)) {
    known.add(shift.id);
    books.count('shifts');
    const keys = [recordKey(shifts.type, books.home, shift.id)];
    const faults = [...shiftFaults(tallies, shift), ...countFaults(attributed, shift)];
    books.report({ book: 'shifts', subject: `shift ${shift.id}`, keys }, faults);
  }
  for (const [id, { source_type, source_id, shift_id }] of postings.withoutDocument()) {
    if (source_type === 'shift' && source_id === shift_id && known.has(source_id)) postings.tie(id);
  }
}

function shiftFaults(tallies: Tallies, { id, status, summary }: StoredShift): string[] {
  if ((status === 'closed') !== (summary !== null)) return [`is ${status}, and its summary is not`];
  if (!summary) return [];
  const said = summary.transactions.map((moved) => ({ ...moved, name: tallyName(moved) }));
  return [...tallyFaults(tallies, id, said), ...summaryFaults(summary)];
}
