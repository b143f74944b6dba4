import * as z from 'zod';
import type { Measured } from '#lib/catalog/accuracy.ts';
import { splitParts } from '#lib/stock/batch-part.ts';
import type { Cause } from '#lib/stock/movement.ts';
import type { StockLevels } from '#lib/stock/stock-levels.ts';
import { costOf } from '#lib/trade/sale/goods.ts';
import type { Sale, SaleLine } from '#lib/trade/sale/record.ts';
import { type ReturnedLine, ReturnReason } from '#lib/trade/sale/returns-of.ts';
import { TrackingCodes } from '#lib/trade/tracking-codes/tracking-code.ts';
import { badRequest } from '#lib/values/api-error.ts';
import { distinct, Id, optionalText } from '#lib/values/fields.ts';
import { type MinorUnits, roundHalfUp } from '#lib/values/money.ts';
import { ONE, quantity, type Units } from '#lib/values/quantity.ts';
import type { ValidationIssues } from '#lib/values/validation-issues.ts';
import { outstandingTrackingCodes, trackingCodesToReturn } from './tracking-codes.ts';

const LineToReturn = z.object({
  id: Id,
  reason_type: ReturnReason,
  returned_quantity: quantity(8),
  comment: optionalText(1000),
  /** Marks that come back; all of the line's if left out while all of it comes back. Part 4, 4.6, 4. */
  marks: TrackingCodes,
});

/** Lines of a cheque, to be returned. Part 2, "Sales". */
export const LinesToReturn = distinct('id', z.array(LineToReturn).max(100));

/** A line of a cheque with what is to come back of it. */
export type Returning = Pick<ReturnedLine, 'reason_type' | 'comment'> & {
  readonly line: SaleLine;
  readonly quantity: Units;
  /** Its marks. */
  readonly marks?: readonly string[];
};

type AskedLine = Returning & { readonly path: string };

const UNNAMED = { reason_type: null, comment: null };

/**
 * Finds what a body returns of a cheque's lines; all that remains if it names none. 400 if nothing remains.
 * What is not the cheque's, is more than remains, or is a part of a bundle goes to `problems`. Contract 9.20;
 * Contract 9.22; Contract 9.68.
 */
export function linesToReturn(
  asked: z.output<typeof LinesToReturn>,
  lines: readonly SaleLine[],
  field: 'products' | 'returned_products',
  issues: ValidationIssues,
): Returning[] {
  const remaining = lines.filter((line) => remainderOfLine(line) > 0);
  if (remaining.length === 0) throw badRequest('return.nothing_left');
  if (asked.length === 0) {
    return remaining.map((line) => {
      return { line, quantity: remainderOfLine(line), marks: outstandingTrackingCodes(line), ...UNNAMED };
    });
  }
  const byId = new Map(lines.map((line) => [line.id, line]));
  const chosen = asked.flatMap(({ id, returned_quantity: quantity, marks, ...why }, index): AskedLine[] => {
    const path = `${field}.${index}`;
    const line = byId.get(id);
    if (!line) issues.add(`${path}.id`, 'validation.not_found');
    if (!line) return [];
    const named = trackingCodesToReturn({ line, quantity, marks, path }, issues);
    return [{ line, quantity, ...why, marks: named, path }];
  });
  for (const { line, quantity, path } of chosen) {
    const what = { available: remainderOfLine(line) / ONE };
    if (quantity <= remainderOfLine(line)) continue;
    issues.add(`${path}.returned_quantity`, { key: 'return.too_much', with: what });
  }
  checkBundles(chosen, lines, issues);
  return chosen;
}

/**
 * Lists the quantities of lines that a body returns; bundles come back whole, and so have no digits of their
 * own. Contract 9.112.
 */
export function quantitiesReturned(
  asked: z.output<typeof LinesToReturn>,
  lines: readonly SaleLine[],
  field: 'products' | 'returned_products',
): Measured[] {
  const byId = new Map(lines.map((line) => [line.id, line]));
  return asked.flatMap(({ id, returned_quantity: quantity }, index) => {
    const line = byId.get(id);
    if (!line || line.bundle_key !== null) return [];
    const path = `${field}.${index}.returned_quantity`;
    return [{ product_id: line.product_id, quantity, path, remainders: [remainderOfLine(line)] }];
  });
}

/**
 * Computes the value of what comes back: the line's amount by the share that has come back with it, rounded,
 * less what has been refunded. So the parts always add up to the line. Contract 8.
 */
export function refundOf({ line, quantity }: Pick<Returning, 'line' | 'quantity'>): MinorUnits {
  const { amount, sold_quantity, returned_quantity, refunded_amount = 0 } = line;
  const part = BigInt(amount) * BigInt(returned_quantity + quantity);
  return Number(roundHalfUp(part, BigInt(sold_quantity))) - refunded_amount;
}

/**
 * Puts goods back into the very batches that they were taken from, the last taken first. Their cost is what
 * the batches are worth more with them, by the rates of the sale, as far as the line has that: others may
 * have taken of the batches in between. So the last to come back take what is left. Contract 9.21;
 * Part 4, 4.5, 2.
 */
export function restock(
  stockLevels: StockLevels,
  returning: readonly Returning[],
  { rates, currency }: Pick<Sale, 'rates' | 'currency'>,
  cause: Omit<Cause, 'lineId'>,
): ReturnedLine[] {
  return returning.map(({ line, quantity, reason_type, comment, marks = [] }) => {
    const { id, product_id } = line;
    const left = remainderOfLine(line);
    const [out] = splitParts(line.batches, left);
    const [, batches] = splitParts(out, left - quantity);
    const inBatches = new Map(
      stockLevels.after.get(product_id)?.batches.map((batch) => [batch.id, batch.left]),
    );
    const worth = batches.reduce((sum, part) => {
      const whole = { ...part, left: inBatches.get(part.id) ?? 0 };
      return sum + (costOf(whole, rates[part.currency], rates[currency]) ?? 0);
    }, 0);
    const kept = line.cost - (line.returned_cost ?? 0);
    const cost = quantity === left ? kept : Math.min(worth, kept);
    stockLevels.put(product_id, batches, { ...cause, lineId: id });
    const amount = refundOf({ line, quantity });
    const back = { id, product_id, returned_quantity: quantity, reason_type, comment, amount, cost, batches };
    return marks.length > 0 ? { ...back, marks: [...marks] } : back;
  });
}

/** Gives the lines of a cheque after a return. */
export function linesAfter(lines: readonly SaleLine[], returned: readonly ReturnedLine[]): SaleLine[] {
  const byId = new Map(returned.map((each) => [each.id, each]));
  return lines.map((line) => {
    const back = byId.get(line.id);
    if (!back) return line;
    const returned_marks = [...(line.returned_marks ?? []), ...(back.marks ?? [])];
    return {
      ...line,
      returned_quantity: line.returned_quantity + back.returned_quantity,
      refunded_amount: (line.refunded_amount ?? 0) + back.amount,
      returned_cost: (line.returned_cost ?? 0) + back.cost,
      ...(returned_marks.length > 0 && { returned_marks }),
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
function checkBundles(
  chosen: readonly AskedLine[],
  lines: readonly SaleLine[],
  issues: ValidationIssues,
): void {
  for (const [key, parts] of Map.groupBy(chosen, ({ line }) => line.bundle_key)) {
    if (key === null) continue;
    const whole = lines.filter(({ bundle_key }) => bundle_key === key).length;
    const counts = new Set(parts.map(bundlesIn));
    if (parts.length === whole && counts.size === 1 && [...counts].every(Number.isInteger)) continue;
    for (const { path } of parts) issues.add(`${path}.returned_quantity`, 'return.bundle_part');
  }
}

/** Counts the bundles that a quantity of a line makes; no integer if it makes none exactly. */
function bundlesIn({ line, quantity }: Returning): number {
  const one = line.sold_quantity / (line.bundle_quantity ?? 1);
  return quantity % one === 0 ? quantity / one : Number.NaN;
}
