import { vouched } from '#lib/records/stored.ts';
import type { Home } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/reads.ts';
import { sideBySide } from '#lib/table/side-by-side.ts';
import { pieces } from '#lib/values/pieces.ts';
import { Balance, lastCostOf } from './balance.ts';
import { newest, type Origin } from './batch.ts';
import { shelfKeys } from './shelves.ts';
import { allWarehouses } from './warehouse.ts';

/** So many balances are held at once, with all their batches and movements, and so often side by side. */
const STEP = 500;
const SIDE_BY_SIDE = 4;

/**
 * Reads what the newest goods of each product that ever came to the family had cost, whether any are left;
 * products that never came are left out. Two round trips up to two thousand balances, a read for each product
 * and warehouse. Decisions, 9 (11).
 */
export async function lastCosts(home: Home, productIds: readonly number[]): Promise<Map<number, Origin>> {
  if (productIds.length === 0) return new Map();
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
  const keys = stockIds.flatMap((id) => shelfKeys(home, id, productIds));
  const costs = new Map<number, Origin>();
  await sideBySide(pieces(keys, STEP), SIDE_BY_SIDE, async (step) => {
    for (const item of (await getItems(step)).filter((each) => each !== undefined)) {
      const balance = vouched(Balance, item);
      const known = costs.get(balance.product_id);
      const last = newest([known ?? [], lastCostOf(balance) ?? []].flat());
      if (last) costs.set(balance.product_id, last);
    }
  });
  return costs;
}
