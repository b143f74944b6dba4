import { vouched } from '#lib/records/stored.ts';
import type { Home } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/reads.ts';
import { Balance, lastCostOf } from './balance.ts';
import { newest, type Origin } from './batch.ts';
import { shelfKeys } from './shelves.ts';
import { allWarehouses } from './warehouse.ts';

/**
 * Reads what the newest goods of each product that ever came to the family had cost, whether any are left;
 * products that never came are left out. Two round trips, a read for each product and warehouse. Decisions, 9
 * (11).
 */
export async function lastCosts(home: Home, productIds: readonly number[]): Promise<Map<number, Origin>> {
  const warehouses = await allWarehouses(home);
  return lastCostsIn(
    home,
    warehouses.map(({ id }) => id),
    productIds,
  );
}

/** The same for who knows the family's warehouses already. One round trip. */
export async function lastCostsIn(
  home: Home,
  stockIds: readonly number[],
  productIds: readonly number[],
): Promise<Map<number, Origin>> {
  const items = await getItems(stockIds.flatMap((id) => shelfKeys(home, id, productIds)));
  const costs = new Map<number, Origin>();
  for (const item of items.filter((each) => each !== undefined)) {
    const balance = vouched(Balance, item);
    const known = costs.get(balance.product_id);
    const last = newest([known ?? [], lastCostOf(balance) ?? []].flat());
    if (last) costs.set(balance.product_id, last);
  }
  return costs;
}
