import * as z from 'zod';
import { readLines } from '#lib/records/lines.ts';
import { parseStored } from '#lib/records/stored.ts';
import { equals } from '#lib/table/expression.ts';
import type { Tenant } from '#lib/table/keys.ts';
import { listItems } from '#lib/table/list/list.ts';
import { ALL_ROWS } from '#lib/table/read/request.ts';
import { mapConcurrent } from '#lib/values/concurrency.ts';

/** Type of stock transfers. */
export const STOCK_TRANSFER = 'stock-transfer';

/** Indexed fields that locate goods in transit. */
const TRANSIT_INDEXES = ['from_stock_id', 'to_stock_id', 'status'];

/** Source and destination of a transfer. */
const ENDS = ['from_stock_id', 'to_stock_id'] as const;

/**
 * Checks for goods in transit from or to a warehouse, or only at the given `ends`. Three round trips, for any
 * number of transfers.
 *
 * Complete if the caller has first read the warehouse's inflow counter, then found the warehouse empty:
 * sending goods from it changes their stock level in the same transaction, and sending goods to it increments
 * the counter.
 */
export async function areAnyInTransit(
  tenant: Tenant,
  stockId: number,
  ends: readonly (typeof ENDS)[number][] = ENDS,
): Promise<boolean> {
  const source = { type: STOCK_TRANSFER, tenant, indexes: TRANSIT_INDEXES };
  const request = { sort: { field: 'id', descending: true }, page: 1, pageSize: 1, isBare: true };
  const pages = await Promise.all(
    ends.map((end) =>
      listItems(source, { ...request, where: [equals('status', 'in_transit'), equals(end, stockId)] }),
    ),
  );
  return pages.some(({ total }) => total > 0);
}

const Sent = z.object({ id: z.int(), products_count: z.int() });
const SentLine = z.object({ product_id: z.int() });

/** Transfers whose lines are read concurrently. */
const PARALLEL = 16;

/**
 * Checks for a product in transit anywhere, by the lines of all transfers in transit, which are few at a
 * time. Complete if the caller has just read that no warehouse stocks the product, unless a stock level has
 * changed since.
 */
export async function isInTransit(tenant: Tenant, productId: number): Promise<boolean> {
  const source = { type: STOCK_TRANSFER, tenant, indexes: TRANSIT_INDEXES };
  const { rows } = await listItems(source, { ...ALL_ROWS, where: [equals('status', 'in_transit')] });
  const found = await mapConcurrent(rows, PARALLEL, async (row) => {
    const { id, products_count } = parseStored(Sent, row);
    const lines = await readLines(SentLine, { type: STOCK_TRANSFER, tenant, id }, products_count);
    return lines.some(({ product_id }) => product_id === productId);
  });
  return found.some(Boolean);
}
