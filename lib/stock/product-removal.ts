import type * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { nameOfBundleWith } from '#lib/catalog/bundle.ts';
import { bundleUseKey, requireUnbundled } from '#lib/catalog/bundled.ts';
import { type Product, products } from '#lib/catalog/card.ts';
import { requireVersion } from '#lib/records/precondition.ts';
import { getRecord } from '#lib/records/record.ts';
import { replacement } from '#lib/records/record-writes.ts';
import { parseStored } from '#lib/records/stored.ts';
import { check, type Write } from '#lib/table/change/write.ts';
import { absent, atLeast } from '#lib/table/expression.ts';
import type { Tenant } from '#lib/table/keys.ts';
import { getItem, getItems } from '#lib/table/read/get.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { badRequest } from '#lib/values/api-error.ts';
import type { Instant } from '#lib/values/time.ts';
import { isInTransit } from './in-transit.ts';
import { StockLevel, stockLevelKey, stockLevelWrites } from './stock-level.ts';
import { allWarehouses, requireNoStocktake } from './warehouse.ts';

/**
 * Deletes a product without stock. 404 without the product; 400 if any is in stock, on hold or in transit, if
 * a stocktake could still find some, or, with the bundle's name, if a bundle contains it. Contract 9.94;
 * Contract 9.118. `change` is written along with the deletion.
 *
 * Sales pay nothing for this. The product's stock levels are read, one per warehouse, and written unchanged:
 * a document that has read them retries and finds the product deleted. Goods sent earlier are found in
 * transit, because their arrival changes a stock level. The remaining case is goods that reach a warehouse
 * for the first time just after the deletion. They are like goods of a deleted product that a customer
 * returns: they can be counted, moved, written off and returned, and the product can be restored.
 */
export function removeProduct(
  actor: Staff,
  id: number,
  at: Instant,
  change: Partial<Pick<z.input<typeof Product>, 'external_id'>> = {},
): Promise<void> {
  const { tenant } = actor;
  return retryOnContention(async () => {
    const before = await getRecord({ type: products, tenant, id });
    requireVersion(before);
    const emptiness = await emptinessWrites(tenant, id);
    const [isOnItsWay, bundle] = await Promise.all([isInTransit(tenant, id), bundleWith(tenant, id)]);
    if (isOnItsWay) throw badRequest('product.has_goods');
    if (bundle !== undefined) throw badRequest('product.in_bundle', { name: bundle });
    const after = { ...before, ...change, is_deleted: true, updated_at: at };
    const replaced = replacement(products, tenant, before, after);
    await transact([...replaced, ...emptiness, requireUnbundled(tenant, id)]);
  });
}

/** Finds the name of a bundle with a product. One round trip, more if a bundle has it. */
async function bundleWith(tenant: Tenant, productId: number): Promise<string | undefined> {
  const count = await getItem(bundleUseKey(tenant, productId));
  return count && atLeast('count', 1).matches(count) ? nameOfBundleWith(tenant, productId) : undefined;
}

/** Builds the writes requiring that no warehouse stocks a product. 400 if one does. */
async function emptinessWrites(tenant: Tenant, productId: number): Promise<Write[]> {
  const warehouses = await allWarehouses(tenant);
  const items = await getItems(warehouses.map(({ id }) => stockLevelKey(tenant, id, productId)));
  return warehouses.flatMap((warehouse, index) => {
    const item = items[index];
    if (!item) return [check(stockLevelKey(tenant, warehouse.id, productId), { if: absent('pk') })];
    const balance = parseStored(StockLevel, item);
    if (balance.quantity + (balance.held ?? 0) > 0) throw badRequest('product.has_goods');
    requireNoStocktake(warehouse);
    return stockLevelWrites(tenant, balance, balance);
  });
}
