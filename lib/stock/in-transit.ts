import * as z from 'zod';
import { readLines } from '#lib/records/lines.ts';
import { parseStored } from '#lib/records/stored.ts';
import { equals } from '#lib/table/expression.ts';
import type { Tenant } from '#lib/table/keys.ts';
import { listItems } from '#lib/table/list/list.ts';
import { ALL_ROWS } from '#lib/table/read/request.ts';
import { mapConcurrent } from '#lib/values/concurrency.ts';

/** The type of transfers between warehouses. */
export const STOCK_TRANSFER = 'stock-transfer';

/** Their fields that tell where goods are on their way, each with an index. */
const TRANSIT_INDEXES = ['from_stock_id', 'to_stock_id', 'status'];

/** The ends of a transfer. */
const ENDS = ['from_stock_id', 'to_stock_id'] as const;

/**
 * Tells whether goods are on their way from a warehouse or to it, or at the `ends` that are asked for. Three
 * round trips, at any number of transfers.
 *
 * Who has read the warehouse's inflow counter, and then that it is empty, misses none. Those that left it are
 * gone from a balance and on their way in one transaction. Those to it add to the counter when they are sent.
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

/** Transfers whose lines are read side by side. */
const PARALLEL = 16;

/**
 * Tells whether goods of a product are on their way anywhere, by the lines of all transfers under way: there
 * are few at a time. Who has just read that no shelf has any misses none, unless a shelf has changed since.
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
