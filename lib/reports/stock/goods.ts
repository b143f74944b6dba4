import type * as z from 'zod';
import { parseStored } from '#lib/records/stored.ts';
import { readRowsOf } from '#lib/reports/frame/rows.ts';
import type { BatchOrigin, BatchPart } from '#lib/stock/batch-part.ts';
import { STOCK_LEVEL_INDEXES, STOCK_LEVEL_ROW, StockLevel, stockLevelKey } from '#lib/stock/stock-level.ts';
import { lastCostOf } from '#lib/stock/stock-level-change.ts';
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
import {
  type AllApart,
  type CommittedStock,
  NOTHING_COMMITTED,
  placeOf,
  readCommittedStock,
  stockLevelName,
} from './committed-stock.ts';
import { stockLevelsMoved } from './moved.ts';

/** Goods of a product that belong to a warehouse. */
export interface WarehouseGoods {
  readonly stock_id: number;
  readonly product_id: number;
  /** In stock, held goods included. */
  readonly quantity: bigint;
  readonly held: bigint;
  /** In transit from the warehouse to another. */
  readonly sent: bigint;
  /** In transit to the warehouse. */
  readonly coming: bigint;
  /** Newest goods ever received there. */
  readonly last: BatchOrigin | undefined;
  /** Cost of those in stock and sent. */
  readonly costs: Readonly<Record<Currency, bigint>>;
  /** Cost of those in stock. */
  readonly costs_in_stock: Readonly<Record<Currency, bigint>>;
}

/** Stock levels held in memory at once, with all their batches and movements, and concurrent reads. */
const STEP = 500;
const SIDE_BY_SIDE = 6;

/** Attempts to read stock levels without a concurrent movement. */
const ATTEMPTS = 25;

const Row = StockLevel.pick({ stock_id: true, product_id: true });

/** A product in a warehouse. */
type Place = Readonly<z.input<typeof Row>>;

/** Fields of a stock level that are read. */
const StockLevelFields = StockLevel.pick({
  stock_id: true,
  product_id: true,
  quantity: true,
  held: true,
  batches: true,
  last_cost: true,
  earlier_costs: true,
});

/** Stock levels as read, by name. */
type StockLevels = Map<string, z.input<typeof StockLevelFields>>;

/*
 * Holds and transfers move goods between a stock level and a document, and a report counts each piece once.
 * Documents are read before the stock levels and after them. If none of a stock level's documents changed in
 * between, the stock level and its documents are consistent. Otherwise only the affected stock levels are
 * read again, with the documents' latest state; that is fast, so the loop terminates under concurrent work.
 * All others remain consistent, as none of their documents has changed.
 */

/**
 * Reads the goods of warehouses as of one moment during the read, with those on their way to them. 422 on
 * the filter if there are over 200 000 stock levels, 503 if documents keep changing.
 */
export function readWarehouseGoods(
  tenant: Tenant,
  stockIds: readonly number[],
  at: Instant,
): Promise<WarehouseGoods[]> {
  return readGoods(tenant, { stockIds, at, readLevels: () => readStockLevels(tenant, stockIds) });
}

/**
 * Reads the goods of some stock levels likewise, and perhaps of others in their warehouses. 503 if documents
 * keep changing.
 */
export function readGoodsOfLevels(
  tenant: Tenant,
  rows: readonly Place[],
  at: Instant,
): Promise<WarehouseGoods[]> {
  const stockIds = [...new Set(rows.map(({ stock_id }) => stock_id))];
  return readGoods(tenant, { stockIds, at, readLevels: () => readLevelsAt(tenant, rows) });
}

async function readGoods(
  tenant: Tenant,
  {
    stockIds,
    at,
    readLevels,
  }: {
    readonly stockIds: readonly number[];
    readonly at: Instant;
    readonly readLevels: () => Promise<StockLevels>;
  },
): Promise<WarehouseGoods[]> {
  const own = new Set(stockIds);
  const readCommitted = (before?: AllApart) =>
    readUnchanged(() => readCommittedStock(tenant, own, at, before?.holders));
  let committed = await readCommitted();
  let levels: StockLevels = new Map();
  // Stock levels to read beside the documents of `committed`; all of them if undefined.
  let moved: ReadonlySet<string> | undefined;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    if (!moved) levels = await readLevels();
    else await readAgain(tenant, levels, moved, own);
    const after = await readCommitted(committed);
    // Movements are usually known; otherwise all stock levels are read again.
    const since = await stockLevelsMoved(tenant, committed, after);
    if (since && isUnmoved(since, moved, levels)) {
      return goodsOf(levels, committed, own);
    }
    committed = after;
    moved = since;
  }
  throw serviceUnavailable();
}

/** Reads documents that do not change while their lines are read. */
async function readUnchanged(read: () => Promise<AllApart | undefined>): Promise<AllApart> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const found = await read();
    if (found) return found;
    await backOff(1);
  }
  throw serviceUnavailable();
}

/** Returns whether nothing has moved to or from the stock levels just read: all of them if undefined. */
function isUnmoved(
  since: ReadonlySet<string>,
  read: ReadonlySet<string> | undefined,
  all: StockLevels,
): boolean {
  const hasRead = (level: string) => (read ? read.has(level) : all.has(level));
  return ![...since].some(hasRead);
}

/** Reads the affected stock levels of these warehouses again. */
async function readAgain(
  tenant: Tenant,
  levels: StockLevels,
  moved: ReadonlySet<string>,
  stockIds: ReadonlySet<number>,
): Promise<void> {
  const keys = [...moved]
    .map(placeOf)
    .flatMap(({ stock_id, product_id }) =>
      stockIds.has(stock_id) ? [stockLevelKey(tenant, stock_id, product_id)] : [],
    );
  const items = await mapConcurrent(splitEvery(keys, STEP), SIDE_BY_SIDE, getItems);
  for (const item of items.flat()) {
    if (item) add(levels, item);
  }
}

async function readStockLevels(tenant: Tenant, stockIds: readonly number[]): Promise<StockLevels> {
  const source = { type: STOCK_LEVEL_ROW, tenant, indexes: STOCK_LEVEL_INDEXES };
  const where = [oneOf('stock_id', stockIds)];
  return readLevelsAt(tenant, await readRowsOf(source, { fields: Row, where, filter: 'filter.stock_id' }));
}

async function readLevelsAt(tenant: Tenant, rows: readonly Place[]): Promise<StockLevels> {
  const levels: StockLevels = new Map();
  await mapConcurrent(splitEvery(rows, STEP), SIDE_BY_SIDE, async (step) => {
    const items = await getItems(step.map((row) => stockLevelKey(tenant, row.stock_id, row.product_id)));
    for (const item of items) add(levels, item);
  });
  return levels;
}

/** Adds a stock level without its movements. */
function add(levels: StockLevels, item: Item | undefined): void {
  const level = parseStored(StockLevelFields, item);
  const { stock_id, product_id, quantity, held, batches, last_cost, earlier_costs } = level;
  const goods = { quantity, held, batches, last_cost, earlier_costs };
  levels.set(stockLevelName(level), { stock_id, product_id, ...goods });
}

/** Sums the stock levels of warehouses, and those that are still to come, with their committed goods. */
function goodsOf(
  levels: StockLevels,
  { byStockLevel }: AllApart,
  own: ReadonlySet<number>,
): WarehouseGoods[] {
  const further = [...byStockLevel.keys()].filter((name) => !levels.has(name)).map(placeOf);
  const coming = further.filter(({ stock_id }) => own.has(stock_id));
  const empty = coming.map((place) => ({ ...place, quantity: 0, batches: [] }));
  return [...levels.values(), ...empty].map((level) => goodsOn(level, byStockLevel));
}

/** Sums a stock level and its committed goods. */
function goodsOn(
  level: z.input<typeof StockLevelFields>,
  committed: ReadonlyMap<string, CommittedStock>,
): WarehouseGoods {
  const { stock_id, product_id, batches } = level;
  const { sent, coming, ...parts } = committed.get(stockLevelName(level)) ?? NOTHING_COMMITTED;
  const held = BigInt(level.held ?? 0);
  const quantity = BigInt(level.quantity) + held;
  const free = batches.map(({ left, ...batch }) => ({ ...batch, quantity: left }));
  const present = [...free, ...parts.held];
  const costs_in_stock = costsOf(present);
  const costs = parts.gone.length > 0 ? costsOf([...present, ...parts.gone]) : costs_in_stock;
  const last = lastCostOf(level);
  return { stock_id, product_id, quantity, held, sent, coming, last, costs, costs_in_stock };
}

/** Computes the cost of goods: those of equal unit cost are rounded together. */
function costsOf(parts: readonly Pick<BatchPart, 'cost' | 'currency' | 'quantity'>[]) {
  const costs = byCurrency(() => 0n);
  for (const [first, ...others] of Map.groupBy(parts, (part) => `${part.cost} ${part.currency}`).values()) {
    if (!first) continue;
    const units = others.reduce((sum, { quantity }) => sum + BigInt(quantity), BigInt(first.quantity));
    costs[first.currency] += exactAmountOf(first.cost, units);
  }
  return costs;
}
