import { isSingle, type PricedLine } from '#lib/trade/pricing/price.ts';
import { ONE } from '#lib/values/quantity.ts';
import type { ValidationIssues } from '#lib/values/validation-issues.ts';
import { MAX_TRACKING_CODES, trackingCodeToCompare } from './tracking-code.ts';

/** Tracking codes of a body. */
interface NamedMarks {
  readonly products: readonly { readonly product_id: number; readonly marks: readonly string[] }[];
  readonly bundles: readonly {
    readonly marks: readonly { readonly product_id: number; readonly marks: readonly string[] }[];
  }[];
}

/** Tracking codes of a line, with their path in the body. */
interface LineMarks {
  readonly path: string;
  readonly marks: readonly string[];
}

/** Tracking codes by line. */
export type TrackingCodesByLine = ReadonlyMap<string, LineMarks>;

type Line = Pick<PricedLine, 'product_id' | 'bundle_key' | 'sold_quantity' | 'quantityPath'>;

type Cards = ReadonlyMap<number, { readonly is_marked?: boolean | undefined }>;

/**
 * Validates the tracking codes of a body's lines: a line of a marked product has whole pieces, with one code
 * each, and any other has none. Violations go to `issues`. Part 4, 4.6, 4.
 */
export function validateTrackingCodes(
  named: NamedMarks,
  lines: readonly Line[],
  cards: Cards,
  issues: ValidationIssues,
): TrackingCodesByLine {
  const byLine = trackingCodesByLine(named);
  const wholes = piecesByLine(lines);
  for (const line of lines) {
    const known = byLine.get(lineKey(line));
    const path = known?.path ?? pathOf(line);
    const count = known?.marks.length ?? 0;
    const isMarked = cards.get(line.product_id)?.is_marked === true;
    const pieces = line.sold_quantity / ONE;
    if (!isMarked && count > 0) issues.add(path, 'sale.not_marked');
    if (!isMarked) continue;
    if (!Number.isInteger(pieces)) issues.add(line.quantityPath, 'sale.marked_whole');
    const whole = wholes.get(lineKey(line)) ?? 0;
    if (Number.isInteger(whole) && count !== whole)
      issues.add(path, { key: 'sale.marks_count', with: { count: whole } });
  }
  checkMembers(named, lines, issues);
  checkDistinct([...byLine.values()], issues);
  return byLine;
}

/** Counts the pieces of each line of a body: a line partly on hold is two lines of the sale. */
function piecesByLine(lines: readonly Line[]): ReadonlyMap<string, number> {
  const parts = Map.groupBy(lines, lineKey);
  return new Map(
    [...parts].map(([key, each]) => [key, each.reduce((sum, line) => sum + line.sold_quantity, 0) / ONE]),
  );
}

/** Returns the key of a sale's line in its body: a product occurs once by itself, and once per bundle. */
export function lineKey({ product_id, bundle_key }: Pick<Line, 'product_id' | 'bundle_key'>): string {
  return `${bundle_key ?? 'products'} ${product_id}`;
}

function trackingCodesByLine({ products, bundles }: NamedMarks): TrackingCodesByLine {
  const byLine = new Map<string, LineMarks>();
  for (const [index, { product_id, marks }] of products.entries()) {
    byLine.set(lineKey({ product_id, bundle_key: null }), { path: `products.${index}.marks`, marks });
  }
  for (const [index, bundle] of bundles.entries()) {
    const bundle_key = `bundles.${index}`;
    for (const [place, { product_id, marks }] of bundle.marks.entries()) {
      const path = `${bundle_key}.marks.${place}.marks`;
      byLine.set(lineKey({ product_id, bundle_key }), { path, marks });
    }
  }
  return byLine;
}

/** Returns the path for missing codes of a line: goods of a whole hold are not listed in the body. */
function pathOf(line: Line): string {
  if (line.quantityPath === 'hold_id' || isSingle(line)) return line.quantityPath;
  return `${line.bundle_key}.marks`;
}

/** Validates that a bundle's codes are of its own products; skipped if the bundle itself is invalid. */
function checkMembers({ bundles }: NamedMarks, lines: readonly Line[], issues: ValidationIssues): void {
  const known = new Set(lines.map(lineKey));
  for (const [index, { marks }] of bundles.entries()) {
    const bundle_key = `bundles.${index}`;
    const wrong = issues.unless(
      ...['bundle_id', 'quantity', 'price'].map((field) => `${bundle_key}.${field}`),
    );
    for (const [place, { product_id }] of marks.entries()) {
      if (known.has(lineKey({ product_id, bundle_key }))) continue;
      wrong.add(`${bundle_key}.marks.${place}.product_id`, 'validation.not_found');
    }
  }
}

/** Validates that codes are unique in a body, and within the limit. */
function checkDistinct(all: readonly LineMarks[], issues: ValidationIssues): void {
  const seen = new Set<string>();
  let count = 0;
  for (const { path, marks } of all) {
    count += marks.length;
    if (count > MAX_TRACKING_CODES)
      issues.add(path, { key: 'validation.too_many_items', with: { max: MAX_TRACKING_CODES } });
    for (const [index, mark] of marks.entries()) {
      if (seen.has(trackingCodeToCompare(mark))) issues.add(`${path}.${index}`, 'validation.duplicate');
      seen.add(trackingCodeToCompare(mark));
    }
  }
}
