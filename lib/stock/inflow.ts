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
 * A warehouse with goods is neither deleted nor moved to another company, and no sale pays for that.
 *
 * A sale can only take. So a warehouse that was empty once stays empty as long as nothing comes in. It is
 * enough that whatever brings goods in counts itself, in the same transaction, on an item of the warehouse,
 * on condition that the warehouse exists and has the company that it was read with. To delete or move the
 * warehouse, that counter is read first, then all its balances, and the write requires that the counter is
 * unchanged. Goods that come after it make one of the two fail, and those that came before are seen in the
 * balances: once they are asked for. For DynamoDB promises no more than that transactions are serializable:
 * of one that has counted itself the goods may not be seen yet. So what seems empty is read once more, as
 * what no transaction is at work on any more (`getSettled`), and so are the rows that may be about to come:
 * ids that were drawn lately and are not there. Goods come in rarely beside sales (receipts, returns,
 * transfers), so nobody fights for the counter. Goods that are sent to the warehouse count themselves on it,
 * too, so that it is not deleted while they are on their way.
 *
 * The balances of a family's warehouses are listed together: the check reads the whole list, a megabyte (some
 * 9000 rows) at a time, and this warehouse's balances, a unit each, until one has goods. As measured, 10 000
 * empty balances of 20 000 in the family take 0.8 s: a call has time for one or two hundred thousand. To read
 * them once more, settled, costs two units each.
 */

/** A warehouse that goods come into, as it was read. */
export interface Destination {
  readonly id: number;
  readonly company_id: number;
}

/** A warehouse: no other record has an `inventory_id`, nor may it have such a counter. */
type Owned = Destination & { readonly is_deleted: boolean; readonly inventory_id: number | null };

const Inflows = z.object({ inflows: z.int() });

/** Makes the counter with the warehouse, and restores it with it; for the warehouses' `alsoWrites`. */
export function inflowCounter(tenant: Tenant, before: Owned | undefined, after: Owned): Write[] {
  const { id, company_id, is_deleted } = after;
  if (!before)
    return [putNew(inflowKey(tenant, id), { inflows: 0, company_id, is_deleted, is_closed: false })];
  return before.is_deleted && !is_deleted ? [update(inflowKey(tenant, id), { set: { is_deleted } })] : [];
}

/**
 * Builds the write of a document that brings goods into a warehouse. `Contention` if the warehouse has been
 * deleted, moved to another company or closed by a count.
 */
export function inflowWrite(tenant: Tenant, { id, company_id }: Destination): Write {
  const isThere = all([
    equals('is_deleted', false),
    equals('company_id', company_id),
    equals('is_closed', false),
  ]);
  return update(inflowKey(tenant, id), { add: { inflows: 1 } }, { if: isThere });
}

/**
 * Builds the write by which an empty warehouse is deleted or changes its company. `otherwise` if it has
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
 * Reads how often goods have come into a warehouse so far. Rows that are read afterwards are all that came
 * with them; of balances `readSettledBalances` are. Three round trips, some thirty units.
 */
export async function readInflows(tenant: Tenant, stockId: number): Promise<number> {
  const { inflows } = Inflows.parse(await getItem(inflowKey(tenant, stockId)));
  await settleNewRows(tenant);
  return inflows;
}

/**
 * Builds the write by which a count closes a warehouse to all that comes in; `Contention` if anything has
 * come since `inflows` was read.
 */
export function closingWrite(tenant: Tenant, stockId: number, inflows: number): Write {
  const isUnchanged = all([equals('inflows', inflows), equals('is_closed', false)]);
  return update(inflowKey(tenant, stockId), { set: { is_closed: true } }, { if: isUnchanged });
}

/** Builds the write by which the end of a count opens a warehouse again. */
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
