import type { Staff } from '#lib/access/actor.ts';
import { canHold } from '#lib/stock/balance.ts';
import type { Cause } from '#lib/stock/movement.ts';
import { readShelves, type Shelves } from '#lib/stock/shelves.ts';
import * as warehouses from '#lib/stock/warehouse.ts';
import { getItem } from '#lib/table/read/get.ts';
import { priceLines } from '#lib/trade/pricing/lines.ts';
import { isSingle } from '#lib/trade/pricing/price.ts';
import { type Basis, readBasis } from '#lib/trade/sale/basis.ts';
import { type TakenLine, takeForLines } from '#lib/trade/sale/goods.ts';
import type { Problems } from '#lib/values/problems.ts';
import { missing } from '#lib/values/refusal.ts';
import type { HeldGoods } from './input.ts';
import { HOLD_LINE, type Hold, type HoldLine } from './record.ts';

/** Reads what a hold rests on: a cheque's basis without a client, in the company's sale currency. */
export function readHeldBasis(
  actor: Staff,
  named: HeldGoods & { readonly stock_id: number; readonly stockPath?: string },
  problems: Problems,
): Promise<Basis> {
  return readBasis(actor, { ...named, client_id: null, movesMoney: false, lineType: HOLD_LINE }, problems);
}

/**
 * Prices goods as a cheque does and takes them off the shelves. Goods of a product that the hold has a line
 * of get that line's id. What is wrong goes to `problems`.
 */
export function takeHeld(
  { held = [], ...basis }: Basis & { readonly held?: readonly HoldLine[] },
  { products, bundles }: Pick<HeldGoods, 'products' | 'bundles'>,
  cause: Omit<Cause, 'lineId'>,
  problems: Problems,
): TakenLine[] {
  const asked = {
    quantityField: 'quantity',
    products: products.map(({ product_id, quantity }) => ({
      product_id,
      sold_quantity: quantity,
      discount: 0,
    })),
    bundles: bundles.map((bundle) => ({ ...bundle, discount: 0 })),
  } as const;
  const lines = priceLines(asked, basis, problems);
  const own = new Map(held.filter(isSingle).map(({ id, product_id }) => [product_id, id]));
  const placed = lines.map((line) => ({
    ...line,
    id: isSingle(line) ? own.get(line.product_id) : undefined,
  }));
  for (const { product_id, quantityPath } of lines)
    requireHoldable(basis.shelves, product_id, quantityPath, problems.unless('stock_id'));
  return takeForLines(basis, placed, cause, problems);
}

/**
 * Requires that what is set aside of a product and what is free are together no more than a balance takes.
 */
export function requireHoldable(
  { after }: Shelves,
  productId: number,
  path: string,
  problems: Problems,
): void {
  const balance = after.get(productId);
  if (balance && !canHold(balance)) problems.add(path, 'stock.too_much');
}

/**
 * Reads the shelves that a hold's goods come back to, and its warehouse. 400 if a count has closed that. One
 * round trip.
 */
export async function readHeldShelves(actor: Staff, { stock_id }: Hold, lines: readonly HoldLine[]) {
  const ids = [...new Set(lines.map(({ product_id }) => product_id))];
  const [place, shelves] = await Promise.all([
    getItem(warehouses.keyOf(actor, stock_id)),
    readShelves(actor.home, stock_id, ids),
  ]);
  const warehouse = warehouses.ifVisible(actor, place);
  if (!warehouse) throw missing();
  warehouses.requireUncounted(warehouse);
  return { shelves, warehouse };
}
