import type { SaleLine } from '#lib/trade/sale/record.ts';
import { trackingCodeToCompare } from '#lib/trade/tracking-codes/tracking-code.ts';
import { ONE, type Units } from '#lib/values/quantity.ts';
import type { ValidationIssues } from '#lib/values/validation-issues.ts';

/** Goods of a line to be returned, with the body's tracking codes and path. */
interface RequestedLine {
  readonly line: SaleLine;
  readonly quantity: Units;
  readonly marks: readonly string[];
  readonly path: string;
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
export function trackingCodesToReturn(
  { line, quantity, marks, path }: RequestedLine,
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
