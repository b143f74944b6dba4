import type * as z from 'zod';
import { parseStored } from '#lib/records/stored.ts';
import { readRowsOf } from '#lib/reports/frame/rows.ts';
import { STOCK_LEVEL_INDEXES, STOCK_LEVEL_ROW, StockLevel, stockLevelKey } from '#lib/stock/stock-level.ts';
import type { Item } from '#lib/table/client.ts';
import { oneOf } from '#lib/table/expression.ts';
import type { Tenant } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { backOff } from '#lib/table/transient-errors.ts';
import { serviceUnavailable } from '#lib/values/api-error.ts';
import { mapConcurrent, splitEvery } from '#lib/values/concurrency.ts';
import { byCurrency, type Currency } from '#lib/values/money.ts';
import { exactAmountOf } from '#lib/values/quantity.ts';
import type { Instant } from '#lib/values/time.ts';
import { type AllApart, type CommittedStock, readCommittedStock, stockLevelName } from './committed-stock.ts';
import { stockLevelsMoved } from './moved.ts';

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

/** How often shelves are read again because goods went or came between them and documents meanwhile. */
const ATTEMPTS = 25;

const Row = StockLevel.pick({ stock_id: true, product_id: true });

/** A part of a balance: what there is of it. */
const Shelf = StockLevel.pick({
  stock_id: true,
  product_id: true,
  quantity: true,
  held: true,
  batches: true,
});

const NOTHING: CommittedStock = { sent: 0n, parts: [] };

/** Shelves as they were read, by name. */
type Shelves = Map<string, z.input<typeof Shelf>>;

/*
 * Holds and transfers move goods between a shelf and a document, and a report has each piece once. Documents
 * are read before the shelves and after them. If none of a shelf's documents has changed in between, the
 * shelf and these documents are of one moment. If some have, only the shelves that they have to do with are
 * read again, beside the documents as they are by then: that takes a moment, so it comes to an end beside
 * work that goes on. All others stay as right as they were, as no document of theirs has changed.
 */

/**
 * Reads the goods of warehouses, as they were at one moment of the reading. 422 on the filter if there are
 * over 200 000 balances, 503 if documents never stand still.
 */
export async function readWarehouseGoods(
  tenant: Tenant,
  stockIds: readonly number[],
  at: Instant,
): Promise<WarehouseGoods[]> {
  const own = new Set(stockIds);
  const steady = (before?: AllApart) =>
    readSteady(() => readCommittedStock(tenant, own, at, before?.holders));
  let apart = await steady();
  let shelves: Shelves = new Map();
  // The shelves that are read beside the documents of `apart`; all of them if undefined.
  let moved: ReadonlySet<string> | undefined;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    if (!moved) shelves = await readShelves(tenant, stockIds);
    else await readAgain(tenant, shelves, moved, own);
    const after = await steady(apart);
    // What has moved is known, as a rule; if it isn't, all shelves are read again.
    const since = await stockLevelsMoved(tenant, apart, after);
    if (since && isApart(since, moved, shelves)) {
      const { byStockLevel: byShelf } = apart;
      return [...shelves.values()].flatMap((shelf) => goodsOn(shelf, byShelf));
    }
    apart = after;
    moved = since;
  }
  throw serviceUnavailable();
}

/** Reads documents that stand still while their lines are read. */
async function readSteady(read: () => Promise<AllApart | undefined>): Promise<AllApart> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const found = await read();
    if (found) return found;
    await backOff(1);
  }
  throw serviceUnavailable();
}

/** Tells whether nothing has moved to or from the shelves that were just read: all of them if undefined. */
function isApart(since: ReadonlySet<string>, read: ReadonlySet<string> | undefined, all: Shelves): boolean {
  const hasRead = (shelf: string) => (read ? read.has(shelf) : all.has(shelf));
  return ![...since].some(hasRead);
}

/** Reads shelves that goods went to or from, those of these warehouses. */
async function readAgain(
  tenant: Tenant,
  shelves: Shelves,
  moved: ReadonlySet<string>,
  stockIds: ReadonlySet<number>,
): Promise<void> {
  const places = [...moved].map((shelf) => shelf.split(' ').map(Number));
  const keys = places.flatMap(([stockId = 0, productId = 0]) =>
    stockIds.has(stockId) ? [stockLevelKey(tenant, stockId, productId)] : [],
  );
  const items = await mapConcurrent(splitEvery(keys, STEP), SIDE_BY_SIDE, getItems);
  for (const item of items.flat()) {
    if (item) add(shelves, item);
  }
}

async function readShelves(tenant: Tenant, stockIds: readonly number[]): Promise<Shelves> {
  const source = { type: STOCK_LEVEL_ROW, tenant, indexes: STOCK_LEVEL_INDEXES };
  const where = [oneOf('stock_id', stockIds)];
  const rows = await readRowsOf(source, { fields: Row, where, filter: 'filter.stock_id' });
  const shelves: Shelves = new Map();
  await mapConcurrent(splitEvery(rows, STEP), SIDE_BY_SIDE, async (step) => {
    const items = await getItems(step.map((row) => stockLevelKey(tenant, row.stock_id, row.product_id)));
    for (const item of items) add(shelves, item);
  });
  return shelves;
}

/** Leaves the movements of a balance out. */
function add(shelves: Shelves, item: Item | undefined): void {
  const { stock_id, product_id, quantity, held, batches } = parseStored(Shelf, item);
  shelves.set(stockLevelName({ stock_id, product_id }), { stock_id, product_id, quantity, held, batches });
}

/** Adds up a shelf and what documents have of it; nothing if there is nothing. */
function goodsOn(
  shelf: z.input<typeof Shelf>,
  apart: ReadonlyMap<string, CommittedStock>,
): WarehouseGoods | [] {
  const { stock_id, product_id, batches } = shelf;
  const { sent, parts } = apart.get(stockLevelName(shelf)) ?? NOTHING;
  const held = BigInt(shelf.held ?? 0);
  const quantity = BigInt(shelf.quantity) + held;
  if (quantity === 0n && sent === 0n) return [];
  const all = [...batches.map(({ left, ...batch }) => ({ ...batch, quantity: left })), ...parts];
  return { stock_id, product_id, quantity, held, sent, costs: costsOf(all) };
}

/** Computes what goods cost: all of one cost together are rounded once. */
function costsOf(parts: readonly Pick<CommittedStock['parts'][number], 'cost' | 'currency' | 'quantity'>[]) {
  const costs = byCurrency(() => 0n);
  for (const [first, ...others] of Map.groupBy(parts, (part) => `${part.cost} ${part.currency}`).values()) {
    if (!first) continue;
    const units = others.reduce((sum, { quantity }) => sum + BigInt(quantity), BigInt(first.quantity));
    costs[first.currency] += exactAmountOf(first.cost, units);
  }
  return costs;
}
