import { requireTrading, type Staff } from '#lib/auth/actor.ts';
import { checkDecimals, readAccuracies } from '#lib/catalog/accuracy.ts';
import { bareParts, splitParts } from '#lib/stock/batch-part.ts';
import type { Cause } from '#lib/stock/movement.ts';
import { insufficientStock, readStockLevels, type StockLevels } from '#lib/stock/stock-levels.ts';
import type { Write } from '#lib/table/change/write.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { readGoods } from '#lib/trade/document/lines.ts';
import { ifForSale, isSingle, type ProductForSale } from '#lib/trade/pricing/price.ts';
import { quantitiesTaken, readCards } from '#lib/trade/sale/cart.ts';
import type { Instant } from '#lib/values/time.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import { getOpenHold, holdCause, replaceHoldLines } from './change.ts';
import { checkAmounts, growLine, requireHoldable, resizeLine } from './lines.ts';
import { type FullHold, type HoldContents, type HoldLine, holds } from './record.ts';

/** Quantity to hold of a line, with its path in the body. */
interface Target {
  readonly line: HoldLine;
  readonly quantity: number;
  readonly path: string;
}

/**
 * Changes a hold to the requested contents: increases are taken from stock, decreases and omitted lines
 * return to their batches. 400 if it is closed or canceled, 422 with all failing fields. Part 2, "Holds".
 */
export async function updateProducts(
  actor: Staff,
  { id, ...requested }: HoldContents & { readonly id: number },
  at: Instant,
  saveResponse: (hold: FullHold) => Write[],
): Promise<FullHold> {
  return retryOnContention(async () => {
    const facts = await readFacts(actor, id, requested);
    const { hold, warehouse } = facts;
    const { lines, stockLevels } = decideContents(requested, facts, holdCause(hold, actor, at));
    const { full, writes } = await replaceHoldLines(actor, hold, lines, at);
    await transact([...writes, ...stockLevels.writes(warehouse), ...saveResponse(full)]);
    return full;
  });
}

/** Reads the facts of a change of contents. 400 if more is to be held and the company is deleted. */
async function readFacts(actor: Staff, id: number, requested: HoldContents) {
  const { tenant } = actor;
  const hold = await getOpenHold(actor, id);
  const { lines, warehouse, productIds } = await readGoods(holds, actor, hold);
  const targets = targetsOf(requested, lines);
  const rises = targets.filter(isRise);
  if (rises.length > 0) requireTrading(actor, hold);
  const [stockLevels, cards] = await Promise.all([
    readStockLevels(tenant, warehouse.id, productIds),
    readCards(
      tenant,
      rises.map(({ line }) => line.product_id),
    ),
  ]);
  const quantities = quantitiesTaken(requested.products, stockLevels, reachable(targets, stockLevels));
  const accuracies = await readAccuracies(actor, quantities);
  return { hold, lines, warehouse, targets, stockLevels, cards, quantities, accuracies };
}

type Facts = Awaited<ReturnType<typeof readFacts>>;

/** Decides the lines of a hold, and the stock levels after the change; 422 with all failing fields. */
function decideContents(requested: HoldContents, facts: Facts, cause: Omit<Cause, 'lineId'>) {
  const { targets } = facts;
  const stockLevels = facts.stockLevels.copy();
  const issues = new ValidationIssues();
  checkNames(requested, facts.lines, issues);
  checkCards(targets.filter(isRise), facts.cards, issues);
  checkDecimals(facts.quantities, facts.accuracies, issues);
  const lines = bringTo(targets, stockLevels, cause, issues);
  checkAmounts(lines, requested.products, issues);
  issues.throwIfAny();
  return { lines, stockLevels };
}

function isRise({ line, quantity }: Target): boolean {
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
function targetsOf({ products, bundle_keys }: HoldContents, lines: readonly HoldLine[]): Target[] {
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
function reachable(targets: readonly Target[], stockLevels: StockLevels) {
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

/** Returns to stock what a line has above its target, the last taken first. */
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
