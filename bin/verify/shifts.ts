import type { DeskMoney } from '#lib/cash/desk/money.ts';
import { type Sourced, tallyName } from '#lib/cash/desk/open-shift.ts';
import type { StoredPosting } from '#lib/cash/posting/record.ts';
import { vouched } from '#lib/records/stored.ts';
import { partition, recordKey } from '#lib/table/keys.ts';
import { walk } from '#lib/table/read/walk.ts';
import { type StoredShift, shifts } from '#lib/trade/shift/record.ts';
import type { ShiftRow, ShiftSummary } from '#lib/trade/shift/summary.ts';
import { Currency, type MoneyKind, totalAmount } from '#lib/values/money.ts';
import { type Audit, itemsAt } from './audit.ts';
import { attribute, countFaults } from './occasions.ts';
import { addTo, type Sums } from './sums.ts';

/**
 * Notes a posting in the shift it belongs to. One that was canceled later is also money that came back in
 * the shift of that moment; canceled in its own shift, it is in none.
 */
export function noteInShift({ tallies }: Audit, posting: StoredPosting): void {
  const { shift_id, canceled_shift_id, type, amount } = posting;
  if (typeof shift_id === 'number' && shift_id !== canceled_shift_id) {
    addTally(tallies, shift_id, posting, amount);
  }
  if (canceled_shift_id !== undefined && canceled_shift_id !== shift_id) {
    const back = { ...posting, type: type === 'income' ? 'outcome' : 'income' } as const;
    addTally(tallies, canceled_shift_id, back, amount);
  }
}

/** Finds where the running sums of a desk's open shift differ from its postings. */
export function openShiftFaults({ tallies }: Audit, { shift }: DeskMoney): string[] {
  if (!shift) return [];
  const told = Object.entries(shift.tallies).map(([name, [count, amount]]) => ({ name, count, amount }));
  return tallyFaults(tallies.get(shift.id), told);
}

/**
 * Checks every shift: what a closed one froze is what its postings and documents come to, its rows and
 * totals follow from that, and what shifts post themselves is of a shift. An open one is judged by its desk.
 */
export async function checkShifts(audit: Audit): Promise<void> {
  const { home, postings, violations } = audit;
  const known = new Set<number>();
  const attributed = attribute(audit.occasions);
  for await (const items of walk(partition(shifts.type, home))) {
    for (const item of items) {
      const shift = vouched(shifts.schema, item);
      known.add(shift.id);
      addTo(audit.counts, 'shifts', 1);
      const history = itemsAt(recordKey(shifts.type, home, shift.id));
      for (const what of [...shiftFaults(audit, shift), ...countFaults(attributed, shift)]) {
        violations.push({ book: 'shifts', subject: `shift ${shift.id}`, what, history });
      }
    }
  }
  for (const [id, { source_type, source_id, shift_id }] of postings.unclaimed()) {
    if (source_type === 'shift' && source_id === shift_id && known.has(source_id)) postings.claim(id);
  }
}

function shiftFaults({ tallies }: Audit, { id, status, summary }: StoredShift): string[] {
  if ((status === 'closed') !== (summary !== null)) return [`is ${status}, and its summary is not`];
  if (!summary) return [];
  const told = summary.transactions.map(({ count, amount, ...moved }) => {
    return { name: tallyName(moved), count, amount };
  });
  return [
    ...tallyFaults(tallies.get(id), told),
    ...summary.rows.flatMap((row) => rowFaults(row, summary)),
    ...summary.totals.flatMap((total) => totalFaults(total, summary)),
    ...Currency.options.flatMap((currency) => debtFaults(currency, summary)),
  ];
}

/** A tally as a shift tells it. */
interface Told {
  readonly name: string;
  readonly count: number;
  readonly amount: number;
}

function tallyFaults(tallies: Sums | undefined, told: readonly Told[]): string[] {
  const says = new Map(told.flatMap(numbersOf));
  const names = new Set([...says.keys(), ...(tallies?.keys() ?? [])]);
  return [...names].flatMap((name) => {
    const [said, came] = [says.get(name) ?? 0, tallies?.get(name) ?? 0];
    return said === came ? [] : [`${name} is ${said}, its postings say ${came}`];
  });
}

function addTally(tallies: Audit['tallies'], id: number, moved: Sourced, amount: number): void {
  const sums: Sums = tallies.get(id) ?? new Map();
  for (const [name, change] of numbersOf({ name: tallyName(moved), count: 1, amount })) {
    addTo(sums, name, change);
  }
  tallies.set(id, sums);
}

function numbersOf({ name, count, amount }: Told): [string, number][] {
  return [
    [`${name}, count`, count],
    [`${name}, amount`, amount],
  ];
}

/** Finds where a row doesn't follow from the shift's postings. Only its close collects a desk. */
function rowFaults(row: ShiftRow, { transactions }: ShiftSummary): string[] {
  const sumOf = (type: string, isOf: (source: string) => boolean) =>
    transactions
      .filter((each) => isSameKind(each, row) && each.type === type && isOf(each.source_type))
      .reduce((sum, { amount }) => sum + amount, 0);
  const own = (source: string) => source === 'shift';
  const { opening_balance, opening_amount, opening, income, outcome, expected, actual, transferred } = row;
  const follows: Readonly<Record<string, boolean>> = {
    opening: opening === opening_balance + opening_amount,
    income: income === sumOf('income', (source) => !own(source)),
    outcome: outcome === sumOf('outcome', (source) => !own(source) && source !== 'collection'),
    expected: expected === opening + income - outcome,
    difference: row.difference === actual - expected,
    'what it posted': opening_amount + row.difference === sumOf('income', own) - sumOf('outcome', own),
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
  return isSummed && isSplit ? [] : [`its total in ${total.currency} is not that of its rows`];
}

/** Finds where what was repaid and refunded is not what the postings of debt payments come to. */
function debtFaults(currency: Currency, { debts, transactions }: ShiftSummary): string[] {
  const told = debts.find((each) => each.currency === currency);
  const own = transactions.filter(
    (each) => each.source_type === 'debt_payment' && each.currency === currency,
  );
  const sumOf = (way: string) => totalAmount(own.filter(({ type }) => type === way));
  return [
    ...((told?.repaid ?? 0) === sumOf('income') ? [] : [`says ${told?.repaid ?? 0} ${currency} for repaid`]),
    ...((told?.refunded ?? 0) === sumOf('outcome')
      ? []
      : [`says ${told?.refunded ?? 0} ${currency} for refunded`]),
  ];
}

function isSameKind(a: MoneyKind, b: MoneyKind): boolean {
  return a.payment_type === b.payment_type && a.currency === b.currency;
}
