import type { SaleLine } from '#lib/trade/sale/record.ts';
import type { ReturnedLine } from '#lib/trade/sale/returns-of.ts';
import { type Cents, roundHalfUp } from '#lib/values/money.ts';
import type { Problems } from '#lib/values/problems.ts';
import { ONE, type Units } from '#lib/values/quantity.ts';
import { refuse } from '#lib/values/refusal.ts';
import type { LinesToReturn } from './input.ts';

/** A line of a cheque with what is to come back of it. */
export type Returning = Pick<ReturnedLine, 'reason_type' | 'comment'> & {
  readonly line: SaleLine;
  readonly quantity: Units;
};

type AskedLine = Returning & { readonly path: string };

const UNNAMED = { reason_type: null, comment: null };

/**
 * Finds what a body returns of a cheque's lines; all that remains if it names none. 400 if nothing remains.
 * What is not the cheque's, is more than remains, or is a part of a bundle goes to `problems`. Decisions,
 * 9 (20); Decisions, 9 (22); Decisions, 9 (68).
 */
export function linesToReturn(
  asked: LinesToReturn,
  lines: readonly SaleLine[],
  field: 'products' | 'returned_products',
  problems: Problems,
): Returning[] {
  const remaining = lines.filter((line) => remainderOfLine(line) > 0);
  if (remaining.length === 0) throw refuse('return.nothing_left');
  if (asked.length === 0) {
    return remaining.map((line) => ({ line, quantity: remainderOfLine(line), ...UNNAMED }));
  }
  const byId = new Map(lines.map((line) => [line.id, line]));
  const chosen = asked.flatMap(({ id, returned_quantity: quantity, ...why }, index): AskedLine[] => {
    const path = `${field}.${index}`;
    const line = byId.get(id);
    if (!line) problems.add(`${path}.id`, 'validation.not_found');
    return line ? [{ line, quantity, ...why, path }] : [];
  });
  for (const { line, quantity, path } of chosen) {
    const available = remainderOfLine(line);
    if (quantity <= available) continue;
    problems.add(`${path}.returned_quantity`, {
      key: 'return.too_much',
      with: { available: available / ONE },
    });
  }
  checkBundles(chosen, lines, problems);
  return chosen.map(({ path: _, ...returning }) => returning);
}

/**
 * Computes the value of what comes back: the line's amount by the share that has come back with it, rounded,
 * less what has been refunded. So the parts always add up to the line. Decisions, 8.
 */
export function refundOf({ line, quantity }: Pick<Returning, 'line' | 'quantity'>): Cents {
  const { amount, sold_quantity, returned_quantity, refunded_amount } = line;
  const part = BigInt(amount) * BigInt(returned_quantity + quantity);
  return Number(roundHalfUp(part, BigInt(sold_quantity))) - refunded_amount;
}

/** Gives the lines of a cheque after a return. */
export function linesAfter(lines: readonly SaleLine[], returned: readonly ReturnedLine[]): SaleLine[] {
  const byId = new Map(returned.map((each) => [each.id, each]));
  return lines.map((line) => {
    const { returned_quantity = 0, amount = 0 } = byId.get(line.id) ?? {};
    return {
      ...line,
      returned_quantity: line.returned_quantity + returned_quantity,
      refunded_amount: line.refunded_amount + amount,
    };
  });
}

/** Tells how much of a line has not come back. */
export function remainderOfLine({
  sold_quantity,
  returned_quantity,
}: Pick<SaleLine, 'sold_quantity' | 'returned_quantity'>): Units {
  return sold_quantity - returned_quantity;
}

/** Checks that bundles come back whole: all their lines, and of each so many times what one bundle has. */
function checkBundles(chosen: readonly AskedLine[], lines: readonly SaleLine[], problems: Problems): void {
  for (const [key, parts] of Map.groupBy(chosen, ({ line }) => line.bundle_key)) {
    if (key === null) continue;
    const whole = lines.filter(({ bundle_key }) => bundle_key === key).length;
    const counts = new Set(parts.map(bundlesIn));
    if (parts.length === whole && counts.size === 1 && [...counts].every(Number.isInteger)) continue;
    for (const { path } of parts) problems.add(`${path}.returned_quantity`, 'return.bundle_part');
  }
}

/** Counts the bundles that a quantity of a line makes; no integer if it makes none exactly. */
function bundlesIn({ line, quantity }: Returning): number {
  const one = line.sold_quantity / (line.bundle_quantity ?? 1);
  return quantity % one === 0 ? quantity / one : Number.NaN;
}
