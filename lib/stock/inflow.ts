import * as z from 'zod';
import { parseStored } from '#lib/records/stored.ts';
import { putNew, update, type Write } from '#lib/table/change/write.ts';
import { all, equals } from '#lib/table/expression.ts';
import { type Key, partition, recordKey, type Tenant } from '#lib/table/keys.ts';
import { getItem, getItems } from '#lib/table/read/get.ts';
import { walk } from '#lib/table/read/walk.ts';
import type { ApiError } from '#lib/values/api-error.ts';
import { readSettledBalances, settleNewRows } from './settled.ts';
import { STOCK_LEVEL_ROW, StockLevel, stockLevelKey } from './stock-level.ts';

/*
 * Prevents deleting a warehouse with goods or moving it to another company, at no cost to sales.
 *
 * A sale only takes, so an empty warehouse stays empty until goods come in. Every document that brings goods
 * in increments a counter item of the warehouse in its own transaction, on condition that the warehouse
 * exists and has the company that was read. Deleting or moving a warehouse reads the counter, then all its
 * stock levels, and requires an unchanged counter. Goods received after that make one of the two transactions
 * fail; goods received before are in the stock levels, though possibly not visible yet: DynamoDB only
 * promises that transactions are serializable. So stock levels that seem empty are read again once no
 * transaction is in progress on them (`getSettled`), and so are rows that may be about to appear: recently
 * allocated ids without an item. Goods come in rarely compared with sales (goods receipts, returns,
 * transfers), so the counter has little contention. Sending goods to a warehouse increments its counter too,
 * so that it is not deleted while they are in transit.
 *
 * The stock levels of a family's warehouses share one list: the check reads all of it, a megabyte (some 9000
 * rows) at a time, and this warehouse's stock levels, one unit each, until one has goods. Measured: 10 000
 * empty stock levels of the family's 20 000 take 0.8 s, so a call has time for one or two hundred thousand.
 * The settled read costs two more units each.
 */

/** Warehouse that receives goods, as read. */
export interface Destination {
  readonly id: number;
  readonly company_id: number;
}

/** Warehouse: no other record has an `inventory_id`, and none may have this counter. */
type Owned = Destination & { readonly is_deleted: boolean; readonly inventory_id: number | null };

const Inflows = z.object({ inflows: z.int() });

/**
 * Builds the writes that create the counter with its warehouse and restore it; for the warehouses'
 * `alsoWrites`.
 */
export function inflowCounter(tenant: Tenant, before: Owned | undefined, after: Owned): Write[] {
  const { id, company_id, is_deleted } = after;
  if (!before)
    return [putNew(inflowKey(tenant, id), { inflows: 0, company_id, is_deleted, is_closed: false })];
  return before.is_deleted && !is_deleted ? [update(inflowKey(tenant, id), { set: { is_deleted } })] : [];
}

/**
 * Builds the write of a document that brings goods into a warehouse. `Contention` if the warehouse was
 * deleted, moved to another company or closed by a stocktake.
 */
export function inflowWrite(tenant: Tenant, { id, company_id }: Destination): Write {
  const isReceiving = all([
    equals('is_deleted', false),
    equals('company_id', company_id),
    equals('is_closed', false),
  ]);
  return update(inflowKey(tenant, id), { add: { inflows: 1 } }, { if: isReceiving });
}

/**
 * Builds the write that deletes an empty warehouse or changes its company. Throws `otherwise` if it has
 * goods.
 */
export async function emptyWrite(
  tenant: Tenant,
  { id, company_id, is_deleted }: Owned,
  otherwise: ApiError,
): Promise<Write> {
  const inflows = await readInflows(tenant, id);
  if (await hasGoods(tenant, id)) throw otherwise;
  return update(
    inflowKey(tenant, id),
    { set: { company_id, is_deleted } },
    { if: equals('inflows', inflows) },
  );
}

/**
 * Reads a warehouse's inflow counter. Rows read afterwards include all that came with it; stock levels do if
 * read by `readSettledBalances`. Three round trips, some thirty units.
 */
export async function readInflows(tenant: Tenant, stockId: number): Promise<number> {
  const { inflows } = Inflows.parse(await getItem(inflowKey(tenant, stockId)));
  await settleNewRows(tenant);
  return inflows;
}

/**
 * Builds the write by which a stocktake closes a warehouse to inflow. `Contention` if goods have come since
 * `inflows` was read.
 */
export function closingWrite(tenant: Tenant, stockId: number, inflows: number): Write {
  const isUnchanged = all([equals('inflows', inflows), equals('is_closed', false)]);
  return update(inflowKey(tenant, stockId), { set: { is_closed: true } }, { if: isUnchanged });
}

/** Builds the write by which the end of a stocktake reopens a warehouse. */
export function reopeningWrite(tenant: Tenant, stockId: number): Write {
  return update(inflowKey(tenant, stockId), { set: { is_closed: false } }, { if: equals('is_closed', true) });
}

async function hasGoods(tenant: Tenant, stockId: number): Promise<boolean> {
  for await (const rows of walk(partition(STOCK_LEVEL_ROW, tenant))) {
    const own = rows.filter(({ stock_id }) => stock_id === stockId);
    const ids = own.map(({ product_id }) => Number(product_id));
    const items = await getItems(ids.map((id) => stockLevelKey(tenant, stockId, id)));
    if (items.some((item) => isFilled(parseStored(StockLevel, item)))) return true;
    if ((await readSettledBalances(tenant, stockId, ids)).some(isFilled)) return true;
  }
  return false;
}

function isFilled({ quantity, held = 0 }: z.input<typeof StockLevel>): boolean {
  return quantity + held > 0;
}

function inflowKey(tenant: Tenant, stockId: number): Key {
  return recordKey('stock-inflow', tenant, stockId);
}
