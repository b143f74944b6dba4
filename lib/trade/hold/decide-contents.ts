import type { Staff } from '#lib/auth/actor.ts';
import { type Accuracies, checkDecimals, type Measured } from '#lib/catalog/accuracy.ts';
import { bareParts, splitParts } from '#lib/stock/batch-part.ts';
import type { Cause } from '#lib/stock/movement.ts';
import { insufficientStock, type StockLevels } from '#lib/stock/stock-levels.ts';
import { ifForSale, isSingle, type ProductForSale } from '#lib/trade/pricing/price.ts';
import type { Instant } from '#lib/values/time.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import { type CancelFacts, withLines } from './decide-hold.ts';
import { checkAmounts, growLine, holdCause, requireHoldable, resizeLine } from './lines.ts';
import type { HoldContents, HoldLine } from './record.ts';

/** Quantity to hold of a line, with its path in the body. */
interface Target {
  readonly line: HoldLine;
  readonly quantity: number;
  readonly path: string;
}

/** Data that new contents of a hold are decided by, as read. */
export interface ContentsFacts extends CancelFacts {
  readonly cards: readonly ProductForSale[];
  readonly quantities: readonly Measured[];
  readonly accuracies: Accuracies;
}

/** Decides the lines of a hold, and the stock levels after the change; 422 with all failing fields. */
export function decideContents(actor: Staff, requested: HoldContents, facts: ContentsFacts, at: Instant) {
  const { hold } = facts;
  const targets = targetsOf(requested, facts.lines);
  const stockLevels = facts.stockLevels.copy();
  const issues = new ValidationIssues();
  checkNames(requested, facts.lines, issues);
  checkCards(targets.filter(isRise), facts.cards, issues);
  checkDecimals(facts.quantities, facts.accuracies, issues);
  const lines = bringTo(targets, stockLevels, holdCause(hold, actor, at), issues);
  checkAmounts(lines, requested.products, issues);
  issues.throwIfAny();
  return { ...withLines(actor, hold, lines, at), stockLevels };
}

/** Returns true if more of a line is to be held. */
export function isRise({ line, quantity }: Target): boolean {
  return quantity > line.quantity;
}

/** Validates that the requested contents are in the hold. */
function checkNames(
  { products, bundle_keys }: HoldContents,
  lines: readonly HoldLine[],
  issues: ValidationIssues,
): void {
  const own = new Set(lines.map(({ bundle_key, product_id }) => bundle_key ?? product_id));
  if (products.length + bundle_keys.length === 0) issues.add('products', 'hold.empty');
  for (const [index, { product_id }] of products.entries()) {
    if (!own.has(product_id)) issues.add(`products.${index}.product_id`, 'hold.not_in_it');
  }
  for (const [index, key] of bundle_keys.entries()) {
    if (!own.has(key)) issues.add(`bundle_keys.${index}`, 'hold.not_in_it');
  }
}

/** Computes the quantity to hold of each line: zero if omitted. */
export function targetsOf({ products, bundle_keys }: HoldContents, lines: readonly HoldLine[]): Target[] {
  const keys = new Set<string | null>(bundle_keys);
  const byProduct = new Map(
    products.map(({ product_id, quantity }, index) => [product_id, { quantity, path: `products.${index}` }]),
  );
  return lines.map((line) => {
    if (isSingle(line)) return { line, quantity: 0, path: 'products', ...byProduct.get(line.product_id) };
    return { line, quantity: keys.has(line.bundle_key) ? line.quantity : 0, path: 'bundle_keys' };
  });
}

/**
 * Validates that products to hold more of can be held: neither deleted nor sold only in bundles. Violations
 * go to `issues`.
 */
function checkCards(
  rises: readonly Target[],
  cards: readonly ProductForSale[],
  issues: ValidationIssues,
): void {
  const byId = new Map(cards.map((card) => [card.id, card]));
  for (const { line, path } of rises) {
    const card = ifForSale(byId.get(line.product_id));
    if (!card) issues.add(`${path}.product_id`, 'validation.not_found');
    else if (card.is_bundle_only) issues.add(`${path}.product_id`, 'sale.bundle_only');
  }
}

/** Lists the quantities of lines, and those with all free stock: both are always allowed. */
export function reachable(targets: readonly Target[], stockLevels: StockLevels) {
  return targets.flatMap(({ line: { product_id, quantity } }) => [
    { product_id, quantity },
    { product_id, quantity: quantity + stockLevels.free(product_id) },
  ]);
}

/** Returns the remaining lines. Decreases come first, so that their goods can be taken again. */
function bringTo(
  targets: readonly Target[],
  stockLevels: StockLevels,
  cause: Omit<Cause, 'lineId'>,
  issues: ValidationIssues,
): HoldLine[] {
  const kept = targets.map((target) => ({ ...target, line: lessen(stockLevels, target, cause) }));
  return kept.flatMap(({ line, quantity, path }) => {
    const more = quantity - line.quantity;
    if (more === 0) return quantity === 0 ? [] : [line];
    const wrong = issues.unless(path);
    requireHoldable(stockLevels, line.product_id, `${path}.quantity`, wrong);
    const parts = stockLevels.take(line.product_id, more, { ...cause, lineId: line.id });
    if (parts) return [growLine(line, { quantity: more, batches: bareParts(parts) })];
    wrong.add(`${path}.quantity`, insufficientStock(line.quantity + stockLevels.free(line.product_id)));
    return [];
  });
}

/** Returns the goods of a line above its target to stock, the last taken first. */
function lessen(
  stockLevels: StockLevels,
  { line, quantity }: Target,
  cause: Omit<Cause, 'lineId'>,
): HoldLine {
  if (quantity >= line.quantity) return line;
  const [batches, back] = splitParts(line.batches, quantity);
  stockLevels.put(line.product_id, back, { ...cause, lineId: line.id });
  return resizeLine(line, batches, quantity);
}
