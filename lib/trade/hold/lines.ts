import type { Cause } from '#lib/stock/movement.ts';
import { bareParts, joinParts, type Part, splitParts } from '#lib/stock/part.ts';
import type { Shelves } from '#lib/stock/shelves.ts';
import { isSingle } from '#lib/trade/pricing/price.ts';
import type { TakenLine } from '#lib/trade/sale/goods.ts';
import { MOST_AMOUNT, totalAmount } from '#lib/values/money.ts';
import type { Problems } from '#lib/values/problems.ts';
import { amountOf } from '#lib/values/quantity.ts';
import type { HoldLine } from './record.ts';

/** As many lines as a hold may have: all of them are written with each change, and shown at once. */
const MOST_LINES = 1000;

/**
 * Makes the lines of goods that were taken for a hold. A bundle's key is by its first line's id, so that it
 * never repeats.
 */
export function newLines(taken: readonly TakenLine[]): HoldLine[] {
  const keys = new Map<string | null, string | null>([[null, null]]);
  return taken.map(({ id, bundle_key, sold_quantity, parts, ...line }) => {
    const key = keys.get(bundle_key) ?? (bundle_key && `bundle-${id}`);
    keys.set(bundle_key, key);
    const { product_id, bundle_id, bundle_quantity, price, amount } = line;
    const goods = { quantity: sold_quantity, batches: bareParts(parts) };
    return { id, product_id, bundle_id, bundle_key: key, bundle_quantity, price, amount, ...goods };
  });
}

/**
 * Adds lines to those of a hold: of a product that it has by itself, the line there is grows. If there are
 * too many, that goes to `problems`.
 */
export function withLines(
  held: readonly HoldLine[],
  added: readonly HoldLine[],
  problems: Problems,
): HoldLine[] {
  const growth = new Map(added.filter(isSingle).map((line) => [line.product_id, line]));
  const own = new Set(held.filter(isSingle).map(({ product_id }) => product_id));
  const lines = [
    ...held.map((line) => grow(line, isSingle(line) ? growth.get(line.product_id) : undefined)),
    ...added.filter((line) => !isSingle(line) || !own.has(line.product_id)),
  ];
  if (lines.length > MOST_LINES)
    problems.add('products', { key: 'hold.too_many_lines', with: { max: MOST_LINES } });
  return lines;
}

/**
 * Checks that neither a line of a hold nor all of them come to more than an amount may be. What is wrong goes
 * to `problems`, at the quantity of the product that was asked for. Decisions, 8.
 */
export function checkAmounts(
  lines: readonly HoldLine[],
  products: readonly { readonly product_id: number }[],
  problems: Problems,
): void {
  const places = new Map(products.map(({ product_id }, index) => [product_id, index]));
  for (const { product_id, amount } of lines.filter(isSingle)) {
    const place = places.get(product_id);
    if (amount > MOST_AMOUNT && place !== undefined) {
      problems.add(`products.${place}.quantity`, 'sale.amount_too_large');
    }
  }
  if (totalAmount(lines) <= MOST_AMOUNT) return;
  problems.unless('products', 'bundles').add('products', 'sale.amount_too_large');
}

/**
 * Puts a line's goods back on the shelf, all but `kept`, the last that were taken first; answers with what
 * stays.
 */
export function lessen(
  shelves: Shelves,
  line: HoldLine,
  kept: number,
  cause: Omit<Cause, 'lineId'>,
): HoldLine {
  const [batches, back] = splitParts(line.batches, kept);
  shelves.put(line.product_id, back, { ...cause, lineId: line.id });
  return resize(line, batches, kept);
}

/** Gives a line more goods, at its own price. */
export function grow(line: HoldLine, more: Pick<HoldLine, 'quantity' | 'batches'> | undefined): HoldLine {
  if (!more) return line;
  return resize(line, joinParts(line.batches, more.batches), line.quantity + more.quantity);
}

function resize(line: HoldLine, batches: readonly Part[], quantity: number): HoldLine {
  return { ...line, batches: [...batches], quantity, amount: amountOf(line.price, quantity) };
}
