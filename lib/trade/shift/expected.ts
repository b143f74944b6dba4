import { type OpenShift, tallyOf } from '#lib/cash/desk/open-shift.ts';
import { PostingSourceType } from '#lib/cash/posting/source.ts';
import {
  type Cents,
  type Currency,
  Direction,
  MONEY_KINDS,
  type MoneyKind,
  nameOf,
} from '#lib/values/money.ts';
import type { ShiftRow } from './summary.ts';

/** The source of a shift's own postings: the change it began with, and the differences of its count. */
const OWN = 'shift';

/** Tells what should be in the desk of each kind of money: those that the shift has seen, and its cash. */
export function listExpected(
  shift: OpenShift,
  currency: Currency,
  further: readonly MoneyKind[] = [],
): ShiftRow[] {
  const named = new Set([{ payment_type: 'cash', currency } as const, ...further].map(nameOf));
  return MONEY_KINDS.filter((kind) => named.has(nameOf(kind)) || isSeen(shift, kind)).map((kind) => {
    const opening_balance = shift.opening_balance[nameOf(kind)] ?? 0;
    const opening_amount = amountOf(shift, OWN, 'income', kind);
    const opening = opening_balance + opening_amount;
    const by_source = PostingSourceType.options
      .filter((source_type) => source_type !== OWN)
      .map((source_type) => ({
        source_type,
        income: amountOf(shift, source_type, 'income', kind),
        outcome: amountOf(shift, source_type, 'outcome', kind),
      }))
      .filter(({ income, outcome }) => income !== 0 || outcome !== 0);
    const income = by_source.reduce((sum, each) => sum + each.income, 0);
    const outcome = by_source.reduce((sum, each) => sum + each.outcome, 0);
    const expected = opening + income - outcome;
    const moved = { opening_balance, opening_amount, opening, income, outcome, expected, by_source };
    const counted = { actual: expected, difference: 0, transferred: 0, left: expected };
    return { ...kind, payment_type_id: null, ...moved, ...counted };
  });
}

function isSeen(shift: OpenShift, kind: MoneyKind): boolean {
  if (shift.opening_balance[nameOf(kind)] !== undefined) return true;
  return PostingSourceType.options.some((source_type) =>
    Direction.options.some((type) => tallyOf(shift, { ...kind, source_type, type })[0] > 0),
  );
}

function amountOf(shift: OpenShift, source_type: string, type: Direction, kind: MoneyKind): Cents {
  return tallyOf(shift, { ...kind, source_type, type })[1];
}
