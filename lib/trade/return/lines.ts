import * as z from 'zod';
import type { Measured } from '#lib/catalog/accuracy.ts';
import { splitParts } from '#lib/stock/batch-part.ts';
import type { Cause } from '#lib/stock/movement.ts';
import type { StockLevels } from '#lib/stock/stock-levels.ts';
import { costOf } from '#lib/trade/sale/goods.ts';
import type { Sale, SaleLine } from '#lib/trade/sale/record.ts';
import { type ReturnedLine, ReturnReason } from '#lib/trade/sale/returns-of.ts';
import { TrackingCodes, trackingCodeToCompare } from '#lib/trade/tracking-codes/tracking-code.ts';
import { distinct, Id, optionalText } from '#lib/values/fields.ts';
import type { MinorUnits } from '#lib/values/money.ts';
import { ONE, quantity, type Units } from '#lib/values/quantity.ts';
import type { ValidationIssues } from '#lib/values/validation-issues.ts';
import { shareOf, vatReturned } from '#lib/values/vat.ts';

const LineToReturn = z.object({
  id: Id,
  reason_type: ReturnReason,
  returned_quantity: quantity(8),
  comment: optionalText(1000),
  /** Returned tracking codes; may be omitted if the whole line is returned. Part 4, 4.6, 4. */
  marks: TrackingCodes,
});

/** Lines of a sale to be returned. Part 2, "Sales". */
export const LinesToReturn = distinct('id', z.array(LineToReturn).max(100));

/** Lines that a body names; null if it returns all that remains. */
export type NamedLines = z.output<typeof LinesToReturn> | null;

/** Line of a sale with the quantity to be returned. */
export type Returning = Pick<ReturnedLine, 'reason_type' | 'comment'> & {
  readonly line: SaleLine;
  readonly quantity: Units;
  /** Its tracking codes. */
  readonly marks?: readonly string[];
};

type RequestedLine = Returning & { readonly path: string };

/** Goods of a line to be returned, with the tracking codes as sent. */
type NamedLine = Required<Pick<RequestedLine, 'line' | 'quantity' | 'marks' | 'path'>>;

const UNNAMED = { reason_type: null, comment: null };

/** Lists the lines of a sale that a body returns; all with a remainder if it names none. */
export function linesOfReturn(requested: NamedLines, lines: readonly SaleLine[]): readonly SaleLine[] {
  if (requested === null) return lines.filter((line) => remainderOfLine(line) > 0);
  const named = new Set(requested.map(({ id }) => id));
  return lines.filter(({ id }) => named.has(id));
}

/**
 * Resolves the lines of a sale that a body returns; all remaining ones if it names none. Unknown lines,
 * quantities above the remainder, and incomplete bundles go to `issues`. Contract 9.20; Contract 9.22;
 * Contract 9.68.
 */
export function linesToReturn(
  requested: NamedLines,
  lines: readonly SaleLine[],
  field: 'products' | 'returned_products',
  issues: ValidationIssues,
): Returning[] {
  const returned = linesOfReturn(requested, lines);
  if (requested === null) {
    return returned.map((line) => {
      return { line, quantity: remainderOfLine(line), marks: outstandingTrackingCodes(line), ...UNNAMED };
    });
  }
  const byId = new Map(returned.map((line) => [line.id, line]));
  const chosen = requested.flatMap(
    ({ id, returned_quantity: quantity, marks, ...why }, index): RequestedLine[] => {
      const path = `${field}.${index}`;
      const line = byId.get(id);
      if (!line) issues.add(`${path}.id`, 'validation.not_found');
      if (!line) return [];
      const named = trackingCodesToReturn({ line, quantity, marks, path }, issues);
      return [{ line, quantity, ...why, marks: named, path }];
    },
  );
  for (const { line, quantity, path } of chosen) {
    const values = { available: remainderOfLine(line) / ONE };
    if (quantity <= remainderOfLine(line)) continue;
    issues.add(`${path}.returned_quantity`, { key: 'return.too_much', with: values });
  }
  checkBundles(chosen, lines, issues);
  return chosen;
}

/**
 * Returns the quantities of a body's lines, for the check of their decimal places; bundles are returned whole
 * and so are exempt. Contract 9.112.
 */
export function quantitiesReturned(
  requested: z.output<typeof LinesToReturn>,
  lines: readonly SaleLine[],
  field: 'products' | 'returned_products',
): Measured[] {
  const byId = new Map(lines.map((line) => [line.id, line]));
  return requested.flatMap(({ id, returned_quantity: quantity }, index) => {
    const line = byId.get(id);
    if (!line || line.bundle_key !== null) return [];
    const path = `${field}.${index}.returned_quantity`;
    return [{ product_id: line.product_id, quantity, path, remainders: [remainderOfLine(line)] }];
  });
}

/**
 * Computes the value of returned goods: the line's amount in proportion to the total returned with them,
 * rounded, less the amount already refunded. The parts thus always add up to the line. Contract 8.
 */
export function refundOf({ line, quantity }: Pick<Returning, 'line' | 'quantity'>): MinorUnits {
  const { amount, sold_quantity, returned_quantity, refunded_amount = 0 } = line;
  return shareOf(amount, returned_quantity + quantity, sold_quantity) - refunded_amount;
}

/**
 * Returns goods to the batches that they were taken from, last taken first. Their cost is the increase of the
 * batches' value, by the rates of the sale, limited to the line's remaining cost, because other documents may
 * have taken from the batches in between. The last ones returned get the remainder. Contract 9.21; Part 4,
 * 4.5, 2.
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
    const worth = stockLevels.placed(product_id, batches).reduce((sum, part) => {
      const whole = { ...part, left: inBatches.get(part.id) ?? 0 };
      return sum + (costOf(whole, rates[part.currency], rates[currency]) ?? 0);
    }, 0);
    const remainingCost = line.cost - (line.returned_cost ?? 0);
    const cost = quantity === left ? remainingCost : Math.min(worth, remainingCost);
    stockLevels.put(product_id, batches, { ...cause, lineId: id });
    const amount = refundOf({ line, quantity });
    const parts = { before: line.returned_quantity, quantity, whole: line.sold_quantity };
    const sums = { amount, cost, ...vatReturned(line, parts) };
    const back = { id, product_id, returned_quantity: quantity, reason_type, comment, ...sums, batches };
    return marks.length > 0 ? { ...back, marks: [...marks] } : back;
  });
}

/** Computes the lines of a sale after a return. */
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

/** Returns the quantity of a line not yet returned. */
export function remainderOfLine({
  sold_quantity,
  returned_quantity,
}: Pick<SaleLine, 'sold_quantity' | 'returned_quantity'>): Units {
  return sold_quantity - returned_quantity;
}

/**
 * Validates that bundles are returned whole: all their lines, each in the quantity of an equal number of
 * bundles.
 */
function checkBundles(
  chosen: readonly RequestedLine[],
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

/** Counts the bundles in a quantity of a line; NaN unless it is an integer. */
function bundlesIn({ line, quantity }: Returning): number {
  const one = line.sold_quantity / (line.bundle_quantity ?? 1);
  return quantity % one === 0 ? quantity / one : Number.NaN;
}

/** Returns the tracking codes of a line not yet returned. */
export function outstandingTrackingCodes({ marks = [], returned_marks = [] }: SaleLine): string[] {
  const back = new Set(returned_marks);
  return marks.filter((mark) => !back.has(mark));
}

/**
 * Resolves the tracking codes returned with goods of a line, as the line stores them: one per piece, or all
 * outstanding ones if none are listed and the whole line is returned. A line without codes returns none.
 * Violations go to `issues`. Part 4, 4.6, 4.
 */
function trackingCodesToReturn(
  { line, quantity, marks, path }: NamedLine,
  issues: ValidationIssues,
): string[] {
  const out = outstandingTrackingCodes(line);
  if (out.length === 0 && marks.length > 0) issues.add(`${path}.marks`, 'sale.not_marked');
  if (out.length === 0) return [];
  const pieces = quantity / ONE;
  if (marks.length === 0 && pieces === out.length) return out;
  if (!Number.isInteger(pieces)) issues.add(`${path}.returned_quantity`, 'sale.marked_whole');
  else if (marks.length !== pieces) {
    issues.add(`${path}.marks`, { key: 'sale.marks_count', with: { count: pieces } });
  }
  const byBare = new Map(out.map((mark) => [trackingCodeToCompare(mark), mark]));
  const seen = new Set<string>();
  return marks.flatMap((mark, index) => {
    const known = byBare.get(trackingCodeToCompare(mark));
    if (known === undefined) issues.add(`${path}.marks.${index}`, 'validation.not_found');
    else if (seen.has(known)) issues.add(`${path}.marks.${index}`, 'validation.duplicate');
    else seen.add(known);
    return known ?? [];
  });
}
