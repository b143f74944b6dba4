import type { OpenShift } from '#lib/cash/desk/open-shift.ts';
import { type Cents, type Currency, nameOf } from '#lib/values/money.ts';
import type { Problems } from '#lib/values/problems.ts';
import { listExpected } from './expected.ts';
import type { ClosingInput } from './input.ts';
import type { ShiftRow } from './summary.ts';

/**
 * Puts what was counted into the rows of a shift: what is not sent is as it should be. A difference without a
 * comment, a count below zero and an amount to leave above the counted cash go to `problems`. Part 3, "Cash
 * shifts"; Decisions, 9 (47).
 */
export function countRows(
  shift: OpenShift,
  currency: Currency,
  input: ClosingInput,
  problems: Problems,
): ShiftRow[] {
  const { actuals, closing_comment } = input;
  const sent = new Map(actuals.map((actual) => [nameOf(actual), actual]));
  const found = actuals.filter(({ amount }) => amount !== 0);
  const rows = listExpected(shift, currency, found).map((row) => {
    const { amount: actual = row.expected, payment_type_id = null } = sent.get(nameOf(row)) ?? {};
    const transferred = amountToTransfer(row, actual, input);
    const difference = actual - row.expected;
    return { ...row, payment_type_id, actual, difference, transferred, left: actual - transferred };
  });
  for (const [index, { amount }] of actuals.entries()) {
    if (amount < 0) problems.add(`actuals.${index}.amount`, 'shift.negative_count');
  }
  checkLeft(rows, input, problems);
  const isExplained = closing_comment !== null || rows.every(({ difference }) => difference === 0);
  if (!isExplained) problems.unless('actuals').add('closing_comment', 'shift.comment_required');
  return rows;
}

/** Checks that no more cash is to be left than was counted. */
function checkLeft(
  rows: readonly ShiftRow[],
  { closing_action, leave_amounts }: ClosingInput,
  problems: Problems,
): void {
  if (closing_action !== 'transfer_part') return;
  for (const [index, { currency, amount }] of leave_amounts.entries()) {
    const cash = rows.find((row) => row.payment_type === 'cash' && row.currency === currency)?.actual ?? 0;
    const available = cash / 100;
    if (amount > cash) {
      const why = { key: 'shift.leaves_too_much', with: { available } } as const;
      problems.unless('actuals').add(`leave_amounts.${index}.amount`, why);
    }
  }
}

/** Tells what of a counted sum goes to the main desk; only cash is ever left in part. */
function amountToTransfer(
  { payment_type, currency }: ShiftRow,
  actual: Cents,
  { closing_action, leave_amounts }: ClosingInput,
): Cents {
  if (closing_action === 'keep') return 0;
  const isLeft = closing_action === 'transfer_part' && payment_type === 'cash';
  const leave = isLeft ? (leave_amounts.find((each) => each.currency === currency)?.amount ?? 0) : 0;
  return Math.max(0, actual - leave);
}
