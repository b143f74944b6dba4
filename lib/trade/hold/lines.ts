import { makerOf, type Staff } from '#lib/auth/actor.ts';
import { type BatchPart, bareParts, joinParts } from '#lib/stock/batch-part.ts';
import type { Cause } from '#lib/stock/movement.ts';
import { canHold } from '#lib/stock/stock-level.ts';
import type { StockLevels } from '#lib/stock/stock-levels.ts';
import { pricesHeldFor } from '#lib/trade/pricing/held-prices.ts';
import { priceLines } from '#lib/trade/pricing/lines.ts';
import { isSingle } from '#lib/trade/pricing/price.ts';
import type { TakenLine } from '#lib/trade/sale/goods.ts';
import type { SaleContext } from '#lib/trade/sale/sale-context.ts';
import { MAX_AMOUNT, totalAmount } from '#lib/values/money.ts';
import { amountOf } from '#lib/values/quantity.ts';
import type { Instant } from '#lib/values/time.ts';
import type { ValidationIssues } from '#lib/values/validation-issues.ts';
import type { HeldGoods, HoldLine } from './record.ts';

/** Limit of a hold's lines: all of them are written with each change, and shown together. */
const MAX_LINES = 1000;

/**
 * Prices goods for a hold like a sale, or at its held prices. Goods of a product with a line get that line's
 * id. Violations go to `issues`.
 */
export function priceForHold(
  { products, bundles }: Pick<HeldGoods, 'products' | 'bundles'>,
  held: readonly HoldLine[],
  basis: SaleContext,
  issues: ValidationIssues,
) {
  const requested = {
    quantityField: 'quantity',
    products: products.map(({ quantity, ...each }) => ({ ...each, sold_quantity: quantity, discount: 0 })),
    bundles: bundles.map((bundle) => ({ ...bundle, discount: 0 })),
  } as const;
  const pricing = { ...basis.pricing, promised: pricesHeldFor(held, { areAdded: true }) };
  const own = new Map(held.filter(isSingle).map(({ id, product_id }) => [product_id, id]));
  const lines = priceLines(requested, { ...basis, pricing }, issues);
  for (const { product_id, quantityPath } of lines) {
    requireHoldable(basis.stockLevels, product_id, quantityPath, issues.unless('stock_id'));
  }
  return lines.map((line) => ({ ...line, id: isSingle(line) ? own.get(line.product_id) : undefined }));
}

/**
 * Adds taken goods to the lines of a hold; a line with the same single product grows. Too many lines go to
 * `issues`.
 */
export function withGoods(
  held: readonly HoldLine[],
  taken: readonly TakenLine[],
  issues: ValidationIssues,
): HoldLine[] {
  const added = new Map(newLines(taken).map((line) => [line.id, line]));
  const own = new Set(held.map(({ id }) => id));
  const lines = [
    ...held.map((line) => growLine(line, added.get(line.id))),
    ...[...added.values()].filter(({ id }) => !own.has(id)),
  ];
  if (lines.length > MAX_LINES) {
    issues.add('products', { key: 'hold.too_many_lines', with: { max: MAX_LINES } });
  }
  return lines;
}

/** Creates lines of taken goods. A bundle's key contains its first line's id, so that it is unique. */
function newLines(taken: readonly TakenLine[]): HoldLine[] {
  const keys = new Map<string | null, string | null>([[null, null]]);
  return taken.map(({ id, bundle_key, sold_quantity, parts, ...line }) => {
    const key = keys.get(bundle_key) ?? (bundle_key && `bundle-${id}`);
    keys.set(bundle_key, key);
    const { product_id, bundle_id, bundle_quantity, price, amount } = line;
    const goods = { quantity: sold_quantity, batches: bareParts(parts) };
    return { id, product_id, bundle_id, bundle_key: key, bundle_quantity, price, amount, ...goods };
  });
}

/** Validates that held and free goods of a product together are within the limit of a stock level. */
export function requireHoldable(
  { after }: StockLevels,
  productId: number,
  path: string,
  issues: ValidationIssues,
): void {
  const balance = after.get(productId);
  if (balance && !canHold(balance)) issues.add(path, 'stock.too_much');
}

/**
 * Validates that the lines of a hold and their total are within the limit of an amount. Violations go to
 * `issues`, on the quantity of the requested product. Contract 8.
 */
export function checkAmounts(
  lines: readonly HoldLine[],
  products: readonly { readonly product_id: number }[],
  issues: ValidationIssues,
): void {
  const places = new Map(products.map(({ product_id }, index) => [product_id, index]));
  for (const { product_id, amount } of lines.filter(isSingle)) {
    const place = places.get(product_id);
    if (amount > MAX_AMOUNT && place !== undefined) {
      issues.add(`products.${place}.quantity`, 'sale.amount_too_large');
    }
  }
  if (totalAmount(lines) <= MAX_AMOUNT) return;
  issues.unless('products', 'bundles').add('products', 'sale.amount_too_large');
}

/** Adds goods to a line, at its own price. */
export function growLine(line: HoldLine, more: Pick<HoldLine, 'quantity' | 'batches'> | undefined): HoldLine {
  return more ? resizeLine(line, joinParts(line.batches, more.batches), line.quantity + more.quantity) : line;
}

/** Replaces the goods of a line, at its own price. */
export function resizeLine(line: HoldLine, batches: BatchPart[], quantity: number): HoldLine {
  return { ...line, batches, quantity, amount: amountOf(line.price, quantity) };
}

/** Returns a hold as the cause of movements. */
export function holdCause(hold: { readonly id: number }, actor: Staff, at: Instant): Omit<Cause, 'lineId'> {
  return { document: 'hold', documentId: hold.id, by: makerOf(actor), at };
}
