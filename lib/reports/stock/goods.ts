import type * as z from 'zod';
import { vouch } from '#lib/records/stored.ts';
import { readRowsOf } from '#lib/reports/frame/rows.ts';
import { BALANCE_INDEXES, Balance, balanceKey, STOCK_PRODUCT } from '#lib/stock/balance.ts';
import { oneOf } from '#lib/table/expression.ts';
import type { Home } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { byCurrency, type Currency } from '#lib/values/money.ts';
import { exactAmountOf } from '#lib/values/quantity.ts';
import { unavailable } from '#lib/values/refusal.ts';
import { pieces, sideBySide } from '#lib/values/side-by-side.ts';
import { type Apart, readApart, shelfOf } from './apart.ts';

/** Goods of a product that belong to a warehouse. */
export interface WarehouseGoods {
  readonly stock_id: number;
  readonly product_id: number;
  /** On the shelf, what is held included. */
  readonly quantity: bigint;
  readonly held: bigint;
  /** On their way from the warehouse to another. */
  readonly sent: bigint;
  /** What all of them cost. */
  readonly costs: Readonly<Record<Currency, bigint>>;
}

/** So many balances are held at once, with all their batches and movements, and so often side by side. */
const STEP = 500;
const SIDE_BY_SIDE = 6;

/** How often all is read again because goods went or came between a shelf and a document meanwhile. */
const ATTEMPTS = 3;

const Row = Balance.pick({ stock_id: true, product_id: true });

/** A part of a balance: what there is of it. */
const Shelf = Balance.pick({
  stock_id: true,
  product_id: true,
  quantity: true,
  held: true,
  batches: true,
});

const NOTHING: Apart = { sent: 0n, parts: [] };

/**
 * Reads the goods of warehouses. Holds and transfers move them between a shelf and a document: if one did
 * while shelves were read, that is read again, so that nothing is counted twice or missed. 422 on the filter
 * if there are over 200 000 balances, 503 if documents never stand still.
 */
export async function readWarehouseGoods(home: Home, stockIds: readonly number[]): Promise<WarehouseGoods[]> {
  let goods: WarehouseGoods[] | undefined;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const before = await readApart(home, stockIds);
    if (!before) continue;
    goods = await readShelves(home, stockIds, before.byShelf);
    const after = await readApart(home, stockIds);
    if (before.documents === after?.documents) break;
  }
  if (!goods) throw unavailable();
  return goods;
}

async function readShelves(
  home: Home,
  stockIds: readonly number[],
  apart: ReadonlyMap<string, Apart>,
): Promise<WarehouseGoods[]> {
  const source = { type: STOCK_PRODUCT, home, indexes: BALANCE_INDEXES };
  const where = [oneOf('stock_id', stockIds)];
  const rows = await readRowsOf(source, { fields: Row, where, filter: 'filter.stock_id' });
  const found = await sideBySide(pieces(rows, STEP), SIDE_BY_SIDE, async (step) => {
    const items = await getItems(step.map((row) => balanceKey(home, row.stock_id, row.product_id)));
    return items.flatMap((item) => goodsOn(vouch(Shelf, item), apart));
  });
  return found.flat();
}

/** Adds up a shelf and what documents have of it; nothing if there is nothing. */
function goodsOn(shelf: z.input<typeof Shelf>, apart: ReadonlyMap<string, Apart>): WarehouseGoods | [] {
  const { stock_id, product_id, batches } = shelf;
  const { sent, parts } = apart.get(shelfOf(shelf)) ?? NOTHING;
  const held = BigInt(shelf.held ?? 0);
  const quantity = BigInt(shelf.quantity) + held;
  if (quantity === 0n && sent === 0n) return [];
  const all = [...batches.map(({ left, ...batch }) => ({ ...batch, quantity: left })), ...parts];
  return { stock_id, product_id, quantity, held, sent, costs: costsOf(all) };
}

/** Computes what goods cost: all of one cost together are rounded once. */
function costsOf(parts: readonly Pick<Apart['parts'][number], 'cost' | 'currency' | 'quantity'>[]) {
  const costs = byCurrency(() => 0n);
  for (const [first, ...others] of Map.groupBy(parts, (part) => `${part.cost} ${part.currency}`).values()) {
    if (!first) continue;
    const units = others.reduce((sum, { quantity }) => sum + BigInt(quantity), BigInt(first.quantity));
    costs[first.currency] += exactAmountOf(first.cost, units);
  }
  return costs;
}
