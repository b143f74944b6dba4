import type { DeskMoney } from '#lib/cash/desk/money.ts';
import { type SourcedMovement, tallyName } from '#lib/cash/desk/open-shift.ts';
import type { StoredPosting } from '#lib/cash/posting/record.ts';
import { oppositeOf } from '#lib/values/money.ts';
import type { Entries } from '../frame/entries.ts';
import { faultUnless, NamedSums, sumsBy } from '../frame/ledger.ts';

/** A tally according to a shift. */
type Tally = readonly [name: string, sums: readonly [count: number, amount: number]];

/**
 * Counts a posting in its shift. One canceled later also counts as money returned in the shift of that
 * moment; canceled in its own shift, it counts in none.
 */
export function addToShiftTally({ tallies }: Entries, posting: StoredPosting): void {
  const { shift_id, canceled_shift_id } = posting;
  if (shift_id === canceled_shift_id) return;
  if (typeof shift_id === 'number') addTally(sumsBy(tallies, shift_id), posting);
  if (canceled_shift_id !== undefined)
    addTally(sumsBy(tallies, canceled_shift_id), { ...posting, type: oppositeOf(posting) });
}

/** Checks the running sums of a desk's open shift against its postings. */
export function openShiftFaults(entries: Entries, { shift }: DeskMoney): string[] {
  return shift ? tallyFaults(entries, shift.id, Object.entries(shift.tallies)) : [];
}

/** Checks a shift's tallies against its postings. */
export function tallyFaults({ tallies }: Entries, shiftId: number, tallied: readonly Tally[]): string[] {
  const came = tallies.get(shiftId) ?? new NamedSums();
  const says = new NamedSums(tallied.flatMap(numbersOf));
  return [...new Set([...says.keys(), ...came.keys()])].flatMap((name) => {
    const [tally, sum] = [says.of(name), came.of(name)];
    return faultUnless(tally === sum, `${name} is ${tally}, its postings say ${sum}`);
  });
}

function addTally(sums: NamedSums, moved: SourcedMovement & { readonly amount: number }): void {
  for (const [name, change] of numbersOf([tallyName(moved), [1, moved.amount]])) sums.add(name, change);
}

function numbersOf([name, [count, amount]]: Tally): [string, number][] {
  return [
    [`${name}, count`, count],
    [`${name}, amount`, amount],
  ];
}
