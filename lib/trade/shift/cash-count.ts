import { type OpenShift, tallyOf } from '#lib/cash/desk/open-shift.ts';
import { PostingSourceType } from '#lib/cash/posting/record.ts';
import {
  type Currency,
  Direction,
  type MinorUnits,
  MONEY_KINDS,
  type MoneyKind,
  nameOf,
} from '#lib/values/money.ts';
import type { ValidationIssues } from '#lib/values/validation-issues.ts';
import type { ClosingInput } from './record.ts';
import type { ShiftRow } from './summary.ts';

/**
 * Applies a cash count to the rows of a shift; kinds of money not sent count as expected. A difference
 * without a comment, a negative count, and an amount to leave above the counted cash go to `issues`. Part 3,
 * "Cash shifts"; Contract 9.47.
 */
export function applyCashCount(
  shift: OpenShift,
  currency: Currency,
  input: ClosingInput,
  issues: ValidationIssues,
): ShiftRow[] {
  const { actuals, closing_comment } = input;
  const sent = new Map(actuals.map((actual) => [nameOf(actual), actual]));
  const found = actuals.filter(({ amount }) => amount !== 0);
  const rows = listExpectedCash(shift, currency, found).map((row) => {
    const { amount: actual = row.expected, payment_type_id = null } = sent.get(nameOf(row)) ?? {};
    const transferred = amountToTransfer(row, actual, input);
    const difference = actual - row.expected;
    return { ...row, payment_type_id, actual, difference, transferred, left: actual - transferred };
  });
  for (const [index, { amount }] of actuals.entries()) {
    if (amount < 0) issues.add(`actuals.${index}.amount`, 'shift.negative_count');
  }
  checkLeft(rows, input, issues);
  const isExplained = closing_comment !== null || rows.every(({ difference }) => difference === 0);
  if (!isExplained) issues.unless('actuals').add('closing_comment', 'shift.comment_required');
  return rows;
}

/** Validates that the cash to leave is at most the counted cash. */
function checkLeft(
  rows: readonly ShiftRow[],
  { closing_action, leave_amounts }: ClosingInput,
  issues: ValidationIssues,
): void {
  if (closing_action !== 'transfer_part') return;
  for (const [index, { currency, amount }] of leave_amounts.entries()) {
    const cash = rows.find((row) => row.payment_type === 'cash' && row.currency === currency)?.actual ?? 0;
    const available = cash / 100;
    if (amount > cash) {
      const issue = { key: 'shift.leaves_too_much', with: { available } } as const;
      issues.unless('actuals').add(`leave_amounts.${index}.amount`, issue);
    }
  }
}

/** Returns the part of a counted sum that goes to the main desk; only cash can be left in part. */
function amountToTransfer(
  { payment_type, currency }: ShiftRow,
  actual: MinorUnits,
  { closing_action, leave_amounts }: ClosingInput,
): MinorUnits {
  if (closing_action === 'keep') return 0;
  const isLeft = closing_action === 'transfer_part' && payment_type === 'cash';
  const leave = isLeft ? (leave_amounts.find((each) => each.currency === currency)?.amount ?? 0) : 0;
  return Math.max(0, actual - leave);
}

/** Source of a shift's own postings: the opening change, and the differences of its cash count. */
const OWN = 'shift';

/** Computes the expected money in the desk, by the kinds used in the shift, and its cash. */
export function listExpectedCash(
  shift: OpenShift,
  currency: Currency,
  further: readonly MoneyKind[] = [],
): ShiftRow[] {
  const named = new Set([{ payment_type: 'cash', currency } as const, ...further].map(nameOf));
  return MONEY_KINDS.filter((kind) => named.has(nameOf(kind)) || isUsed(shift, kind)).map((kind) => {
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

function isUsed(shift: OpenShift, kind: MoneyKind): boolean {
  if (shift.opening_balance[nameOf(kind)] !== undefined) return true;
  return PostingSourceType.options.some((source_type) =>
    Direction.options.some((type) => tallyOf(shift, { ...kind, source_type, type })[0] > 0),
  );
}

function amountOf(shift: OpenShift, source_type: string, type: Direction, kind: MoneyKind): MinorUnits {
  return tallyOf(shift, { ...kind, source_type, type })[1];
}
