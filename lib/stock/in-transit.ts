import { equals } from '#lib/table/expression.ts';
import type { Home } from '#lib/table/keys.ts';
import { listItems } from '#lib/table/list/list.ts';

/** The type of transfers between warehouses. */
export const STOCK_TRANSFER = 'stock-transfer';

/** Their fields that tell where goods are on their way, each with an index. */
export const TRANSIT_INDEXES = ['from_stock_id', 'to_stock_id', 'status'];

/**
 * Tells whether goods are on their way from a warehouse or to it. Three round trips, at any number of
 * transfers.
 *
 * Who has just read that the warehouse is empty misses none that left it: they are gone from a balance and on
 * their way in one transaction. One to it may be sent a moment later. So of a transfer's warehouses the one
 * that the goods left stays, and they can come back to it.
 */
export async function areAnyInTransit(home: Home, stockId: number): Promise<boolean> {
  const source = { type: STOCK_TRANSFER, home, indexes: TRANSIT_INDEXES };
  const request = { sort: { field: 'id', descending: true }, page: 1, pageSize: 1, isBare: true };
  const pages = await Promise.all(
    ['from_stock_id', 'to_stock_id'].map((end) =>
      listItems(source, { ...request, where: [equals('status', 'in_transit'), equals(end, stockId)] }),
    ),
  );
  return pages.some(({ total }) => total > 0);
}
