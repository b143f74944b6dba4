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

/** So many balances are held at once, with all their batches and movements, and so often side by side. */
const STEP = 500;
const SIDE_BY_SIDE = 4;

/**
 * Reads what the newest goods of each product that ever came to the family had cost, whether any are left;
 * products that never came are left out. Two round trips up to two thousand balances, a read for each product
 * and warehouse. Contract 9.11.
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

/** Reads the same if the family's warehouses are known already. One round trip. */
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
 * Builds the writes by which the other warehouses of the family forget the costs of a receipt that is
 * canceled in one. Its goods may have been there, and have come back whole, or it could not be canceled. 400
 * if a count has closed such a warehouse. Two round trips, a read for each line and warehouse.
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
  await mapConcurrent(splitEvery(keys, STEP), SIDE_BY_SIDE, async (step) => {
    for (const item of (await getItems(step)).filter((each) => each !== undefined))
      visit(parseStored(StockLevel, item));
  });
}
