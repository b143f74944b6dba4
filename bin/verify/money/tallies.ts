import type { DeskMoney } from '#lib/cash/desk/money.ts';
import { type Sourced, tallyName } from '#lib/cash/desk/open-shift.ts';
import type { StoredPosting } from '#lib/cash/posting/record.ts';
import { oppositeOf } from '#lib/values/money.ts';
import { addTo } from '../frame/books.ts';
import type { Entries } from '../frame/entries.ts';

type Tallies = Entries['tallies'];

/** A tally as a shift says it. */
interface Tally {
  readonly name: string;
  readonly count: number;
  readonly amount: number;
}

/**
 * Notes a posting in the shift it belongs to. One that was canceled later is also money that came back in
 * the shift of that moment; canceled in its own shift, it is in none.
 */
export function noteInShift({ tallies }: Entries, posting: StoredPosting): void {
  const { shift_id, canceled_shift_id } = posting;
  if (shift_id === canceled_shift_id) return;
  if (typeof shift_id === 'number') addTally(tallies, shift_id, posting);
  if (canceled_shift_id !== undefined)
    addTally(tallies, canceled_shift_id, { ...posting, type: oppositeOf(posting) });
}

/** Finds where the running sums of a desk's open shift differ from its postings. */
export function openShiftFaults(entries: Entries, { shift }: DeskMoney): string[] {
  if (!shift) return [];
  const said = Object.entries(shift.tallies).map(([name, [count, amount]]) => ({ name, count, amount }));
  return tallyFaults(entries, shift.id, said);
}

/** Finds where a shift says something else than its postings. */
export function tallyFaults({ tallies }: Entries, shiftId: number, tallied: readonly Tally[]): string[] {
  const came = tallies.get(shiftId) ?? new Map<string, number>();
  const says = new Map(tallied.flatMap(numbersOf));
  return [...new Set([...says.keys(), ...came.keys()])].flatMap((name) => {
    const [said, sum] = [says.get(name) ?? 0, came.get(name) ?? 0];
    return said === sum ? [] : [`${name} is ${said}, its postings say ${sum}`];
  });
}

function addTally(tallies: Tallies, id: number, moved: Sourced & { readonly amount: number }): void {
  const sums = tallies.get(id) ?? new Map<string, number>();
  const numbers = numbersOf({ name: tallyName(moved), count: 1, amount: moved.amount });
  for (const [name, change] of numbers) addTo(sums, name, change);
  tallies.set(id, sums);
}

function numbersOf({ name, count, amount }: Tally): [string, number][] {
  return [
    [`${name}, count`, count],
    [`${name}, amount`, amount],
  ];
}
