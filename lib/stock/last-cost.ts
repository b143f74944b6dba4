import { parseStored } from '#lib/records/stored.ts';
import type { Write } from '#lib/table/change/write.ts';
import type { Tenant } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { mapConcurrent, splitEvery } from '#lib/values/concurrency.ts';
import { type BatchOrigin, newest } from './batch-part.ts';
import { StockLevel, stockLevelWrites } from './stock-level.ts';
import { lastCostOf, withoutCosts } from './stock-level-change.ts';
import { stockLevelKeys } from './stock-levels.ts';
import { allWarehouses, requireNoStocktake } from './warehouse.ts';

/** Stock levels in memory at once, with all their batches and movements, and concurrent reads. */
const STEP = 500;
const PARALLEL = 4;

/**
 * Reads the cost of the newest goods ever received of each product, in stock or not; products never received
 * are omitted. Two round trips up to two thousand stock levels, one read per product and warehouse. Contract
 * 9.11.
 */
export async function lastCosts(
  tenant: Tenant,
  productIds: readonly number[],
): Promise<Map<number, BatchOrigin>> {
  if (productIds.length === 0) return new Map();
  const warehouses = await allWarehouses(tenant);
  return lastCostsIn(
    tenant,
    warehouses.map(({ id }) => id),
    productIds,
  );
}

/** Reads the same in given warehouses. One round trip. */
export async function lastCostsIn(
  tenant: Tenant,
  stockIds: readonly number[],
  productIds: readonly number[],
): Promise<Map<number, BatchOrigin>> {
  const costs = new Map<number, BatchOrigin>();
  await eachBalance(tenant, stockIds, productIds, (balance) => {
    const known = costs.get(balance.product_id);
    const last = newest([known ?? [], lastCostOf(balance) ?? []].flat());
    if (last) costs.set(balance.product_id, last);
  });
  return costs;
}

/**
 * Builds the writes that remove the costs of a canceled goods receipt from the family's other warehouses. Its
 * goods may have been there and must have come back whole, or the cancellation would have failed. 400 if a
 * stocktake has closed such a warehouse. Two round trips, one read per line and warehouse.
 */
export async function clearLastCosts(
  tenant: Tenant,
  stockId: number,
  lines: readonly { readonly id: number; readonly product_id: number }[],
): Promise<Write[]> {
  const others = new Map((await allWarehouses(tenant)).map((each) => [each.id, each]));
  others.delete(stockId);
  const batchIds = new Set(lines.map(({ id }) => id));
  const productIds = lines.map(({ product_id }) => product_id);
  const writes: Write[] = [];
  await eachBalance(tenant, [...others.keys()], productIds, (balance) => {
    const after = withoutCosts(balance, batchIds);
    if (after === balance) return;
    requireNoStocktake(others.get(balance.stock_id) ?? { inventory_id: null });
    writes.push(...stockLevelWrites(tenant, balance, after));
  });
  return writes;
}

async function eachBalance(
  tenant: Tenant,
  stockIds: readonly number[],
  productIds: readonly number[],
  visit: (balance: StockLevel) => void,
): Promise<void> {
  const keys = stockIds.flatMap((id) => stockLevelKeys(tenant, id, productIds));
  await mapConcurrent(splitEvery(keys, STEP), PARALLEL, async (step) => {
    for (const item of (await getItems(step)).filter((each) => each !== undefined))
      visit(parseStored(StockLevel, item));
  });
}
