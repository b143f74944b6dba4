import * as z from 'zod';
import { insertionNotice } from '#lib/table/change/index-notice.ts';
import { putNew, replace, type Write } from '#lib/table/change/write.ts';
import { equals } from '#lib/table/expression.ts';
import { type Key, recordKey, type Tenant } from '#lib/table/keys.ts';
import { badRequest } from '#lib/values/api-error.ts';
import { ONE, Quantity } from '#lib/values/quantity.ts';
import { Timestamp } from '#lib/values/time.ts';
import { Batch } from './batch.ts';
import { BatchOrigin } from './batch-part.ts';
import { countMovements, cutPage, PAGE, pageKey } from './movement.ts';

/*
 * Stock level of a product in a warehouse: quantity, batches, and latest movements.
 *
 * A change is computed from the row read, and written on condition that its `version` is unchanged.
 * Concurrent changes thus lose nothing, double nothing and never go below zero: the later one retries.
 * Quantity, batches and movements are one item, so they cannot disagree. It usually has one or two kilobytes,
 * and a line of a sale costs two to four units: movements that fill a page are moved to an item of their own.
 * In documents too large for that the row grows to at most ten pages: 200 movements, eleven kilobytes, and 44
 * units a line.
 */
export const StockLevel = z.object({
  id: z.int(),
  stock_id: z.int(),
  product_id: z.int(),
  quantity: Quantity,
  /** Goods on hold, not included in `quantity` but still in the warehouse; absent if none. */
  held: Quantity.optional(),
  batches: z.array(Batch),
  /** Cost of the newest exhausted batch; absent if none is exhausted. */
  last_cost: BatchOrigin.optional(),
  /** Costs of older exhausted batches, newest first; they replace that of a canceled goods receipt. */
  earlier_costs: z.array(BatchOrigin).optional(),
  /** Latest movements. */
  recent: z.string(),
  /** Number of full pages of movements, stored as separate items. */
  pages: z.int(),
  /** Completed stocktakes that included it, with counting times, newest first; absent if none. */
  counts: z
    .array(z.tuple([z.int(), z.int()]))
    .readonly()
    .optional(),
  created_at: Timestamp,
  /** 0 if not yet stored. */
  version: z.int(),
});

export type StockLevel = Readonly<z.input<typeof StockLevel>>;

/** Type of the list rows of stock levels. */
export const STOCK_LEVEL_ROW = 'stock-product';

/** Indexed fields of those rows. */
export const STOCK_LEVEL_INDEXES = ['stock_id', 'product_id'];

/** Up to 2^26 pieces, quantities that differ in the eighth decimal also differ as JSON numbers. */
export const MAX_PIECES = 67_000_000;

/** Limit of a stock level's quantity. */
export const MAX_STOCK_LEVEL = MAX_PIECES * ONE;

/** Movements in a row if transactions have no room to move a page out: ten kilobytes. */
const MAX_RECENT = 10 * PAGE;

/**
 * Returns the key of a product's stock level in a warehouse. Each has its own partition key: no reader needs
 * a whole warehouse at once, and DynamoDB limits a partition to a thousand write units a second, about 250
 * lines.
 */
export function stockLevelKey(tenant: Tenant, stockId: number, productId: number): Key {
  return { pk: `balance#${tenant}#${stockId}#${productId}`, sk: 'balance' };
}

/** Requires that a stock level has at most 67 million pieces. 400 otherwise. */
export function requireStockLimit({ quantity }: Pick<StockLevel, 'quantity'>): void {
  if (quantity > MAX_STOCK_LEVEL) throw badRequest('stock.too_much');
}

/** Checks whether goods may be put on hold: free and held goods together must fit a stock level. */
export function canHold({ quantity, held = 0 }: Pick<StockLevel, 'quantity' | 'held'>): boolean {
  return quantity + held <= MAX_STOCK_LEVEL;
}

/**
 * Builds the writes that change a stock level from the row read. A full page of movements is moved to its own
 * item if the transaction has room, and always before the row grows too large. `Contention` if the stock
 * level has changed since.
 */
export function stockLevelWrites(tenant: Tenant, read: StockLevel, balance: StockLevel): Write[] {
  const { id, version, recent, pages } = balance;
  const isNew = version === 0;
  const key = stockLevelKey(tenant, balance.stock_id, balance.product_id);
  const rowOf = (after: StockLevel) => {
    const row = { ...after, version: version + 1 };
    return isNew ? putNew(key, row) : replace(key, read, row, { if: equals('version', version) });
  };
  const listings = isNew ? [listing(tenant, balance)] : [];
  const moved = countMovements(recent);
  if (moved < PAGE) return [rowOf(balance), ...listings];
  const { page, rest } = cutPage(recent);
  const turned = [
    rowOf({ ...balance, pages: pages + 1, recent: rest }),
    putNew(pageKey(tenant, id, pages), { entries: page }),
  ];
  return [...(moved >= MAX_RECENT ? turned : [{ ...rowOf(balance), ifRoom: turned }]), ...listings];
}

/** Builds the list row of a stock level, by its id; it never changes. */
function listing(tenant: Tenant, { id, stock_id, product_id, created_at }: StockLevel): Write {
  const row = { id, stock_id, product_id, created_at, version: 1 };
  const source = { type: STOCK_LEVEL_ROW, tenant, indexes: STOCK_LEVEL_INDEXES };
  return { ...putNew(recordKey(STOCK_LEVEL_ROW, tenant, id), row), ...insertionNotice(source, id) };
}
