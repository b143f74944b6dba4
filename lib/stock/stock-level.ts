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
 * The balance of a product in a warehouse: the quantity, its batches, and its latest movements.
 *
 * A change is computed from the row that was read, and written on condition that the row is still the same
 * (its `version`). So nothing is lost, doubled or taken below zero by changes that run at once; the later one
 * reads again. The quantity, its batches and the movement are one item: they can't contradict each other. As
 * a rule it has one or two kilobytes, so a line of a sale costs two to four units: movements that fill a page
 * are put aside as one. In documents too wide for that it grows, at most to ten pages: 200 movements, eleven
 * kilobytes, and 44 units a line.
 */
export const StockLevel = z.object({
  id: z.int(),
  stock_id: z.int(),
  product_id: z.int(),
  quantity: Quantity,
  /**
   * Goods that holds have taken out of the quantity and still keep in the warehouse; absent if there are
   * none.
   */
  held: Quantity.optional(),
  batches: z.array(Batch),
  /** The cost of the newest batch of those that are gone; absent if none is. */
  last_cost: BatchOrigin.optional(),
  /** Costs of batches that are gone and older, the newest first. A canceled receipt's gives way to them. */
  earlier_costs: z.array(BatchOrigin).optional(),
  /** The latest movements. */
  recent: z.string(),
  /** The number of full pages of movements, which were put aside. */
  pages: z.int(),
  /** Completed counts that it was in, and when it was counted, the newest first; absent if there are none. */
  counts: z
    .array(z.tuple([z.int(), z.int()]))
    .readonly()
    .optional(),
  created_at: Timestamp,
  /** 0 for one that isn't in the table yet. */
  version: z.int(),
});

export type StockLevel = Readonly<z.input<typeof StockLevel>>;

/** Type of the rows in lists of balances. */
export const STOCK_LEVEL_ROW = 'stock-product';

/** Fields of those rows that have an index each. */
export const STOCK_LEVEL_INDEXES = ['stock_id', 'product_id'];

/** Up to 2^26 pieces two quantities that differ in the eighth decimal also differ as JSON numbers. */
export const MAX_PIECES = 67_000_000;

/** Limit of a balance's quantity. */
export const MAX_STOCK_LEVEL = MAX_PIECES * ONE;

/** Movements that a row keeps if transactions have no room to put a page aside: it has ten kilobytes then. */
const MAX_RECENT = 10 * PAGE;

/**
 * Gives the key of a product's balance in a warehouse. Each has a partition key of its own: nobody asks for
 * all of a warehouse at once, and DynamoDB gives one partition a thousand write units a second, about 250
 * lines.
 */
export function stockLevelKey(tenant: Tenant, stockId: number, productId: number): Key {
  return { pk: `balance#${tenant}#${stockId}#${productId}`, sk: 'balance' };
}

/** Requires that a balance has no more than 67 million pieces. 400 otherwise. */
export function requireStockLimit({ quantity }: Pick<StockLevel, 'quantity'>): void {
  if (quantity > MAX_STOCK_LEVEL) throw badRequest('stock.too_much');
}

/** Checks that goods may be set aside: what is free and what holds keep must fit a balance together. */
export function canHold({ quantity, held = 0 }: Pick<StockLevel, 'quantity' | 'held'>): boolean {
  return quantity + held <= MAX_STOCK_LEVEL;
}

/**
 * Builds the writes that change a balance from what was read. A full page of movements is put aside if the
 * transaction has room for it, and in any case before the row grows too large. `Contention` if the balance
 * has changed since.
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

/** Makes the row that lists the balance by its id; it never changes. */
function listing(tenant: Tenant, { id, stock_id, product_id, created_at }: StockLevel): Write {
  const row = { id, stock_id, product_id, created_at, version: 1 };
  const source = { type: STOCK_LEVEL_ROW, tenant, indexes: STOCK_LEVEL_INDEXES };
  return { ...putNew(recordKey(STOCK_LEVEL_ROW, tenant, id), row), ...insertionNotice(source, id) };
}
