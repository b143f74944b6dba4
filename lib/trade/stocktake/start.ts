import { makerOf, requireTrading, type Staff } from '#lib/auth/actor.ts';
import { documentInsertion } from '#lib/records/documents.ts';
import { closingWrite, readInflows } from '#lib/stock/inflow.ts';
import { readSettledBalances } from '#lib/stock/settled.ts';
import * as warehouses from '#lib/stock/warehouse.ts';
import type { Write } from '#lib/table/change/write.ts';
import { ownerState } from '#lib/table/journal/standing-lock.ts';
import type { Tenant } from '#lib/table/keys.ts';
import { nextId } from '#lib/table/sequences.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { timesOf } from '#lib/trade/document/fields.ts';
import { badRequest } from '#lib/values/api-error.ts';
import type { Instant } from '#lib/values/time.ts';
import { mapStockLevels, type ProductTraits, productTraits, warehouseRows } from './goods.ts';
import { MAX_POSITIONS, type PlannedPosition, writePlan } from './positions.ts';
import { type StoredStocktake, stocktakeRef, stocktakes } from './record.ts';
import { type ScopePredicate, type StocktakeInput, scopeOf } from './scope.ts';
import { totals, withSums } from './totals.ts';

/** Rows listed so far; a retry continues from them. */
interface Listing {
  readonly planned: PlannedPosition[];
  readonly kinds: Map<number, ProductTraits>;
}

/**
 * Starts a stocktake: closes the warehouse and stores the plan, in one transaction. 422 on references that do
 * not exist or are not open to the caller; 400 if a stocktake has already closed the warehouse, over the
 * limit of positions, and if the company of the warehouse is deleted.
 *
 * The goods are listed first. The transaction that closes the warehouse requires an unchanged inflow counter,
 * as for the deletion of a warehouse (`lib/stock/inflow.ts`). If goods have come in, the listing is repeated
 * for rows that are not planned yet, so that the retry is fast for any number of goods. Goods that have left
 * in between stay planned, and are counted as zero. A stocktake thus starts completely or not at all.
 */
export async function start(
  actor: Staff,
  input: StocktakeInput,
  at: Instant,
  saveResponse: (count: StoredStocktake) => Write[],
): Promise<StoredStocktake> {
  const { tenant } = actor;
  const scope = await scopeOf(actor, input);
  const listing: Listing = { planned: [], kinds: new Map() };
  return retryOnContention(async () => {
    const [id, warehouse, inflows] = await Promise.all([
      nextId(stocktakes.type, tenant),
      warehouses.requireWarehouse(actor, input.stock_id, 'stock_id'),
      readInflows(tenant, input.stock_id),
    ]);
    requireTrading(actor, warehouse);
    if (warehouse.inventory_id !== null) throw badRequest('inventory.already_started');
    const known = listing.planned.length;
    await list(tenant, warehouse.id, scope, listing);
    if (listing.planned.length > MAX_POSITIONS) {
      throw badRequest('inventory.too_many_positions', { max: MAX_POSITIONS });
    }
    await writePlan(stocktakeRef(tenant, id), listing.planned.slice(known), known);
    const count = newCount(actor, id, warehouse.company_id, { input, listing, at });
    const response = withSums(count);
    await transact([
      documentInsertion(stocktakes, tenant, count),
      ...warehouses.stocktakeWrites(tenant, warehouse, id),
      closingWrite(tenant, warehouse.id, inflows),
      ...saveResponse(response),
    ]);
    return response;
  });
}

/** Adds the warehouse's rows with goods that the listing lacks. */
async function list(
  tenant: Tenant,
  stockId: number,
  scope: ScopePredicate,
  { planned, kinds }: Listing,
): Promise<void> {
  const listed = new Set(planned.map(({ id }) => id));
  const rows = (await warehouseRows(tenant, stockId)).filter(({ id }) => !listed.has(id));
  const unknown = rows.map(({ product_id }) => product_id).filter((id) => !kinds.has(id));
  for (const [id, kind] of await productTraits(tenant, unknown)) kinds.set(id, kind);
  const rowsInScope = rows.filter(({ product_id }) => {
    const kind = kinds.get(product_id);
    return kind !== undefined && scope(product_id, kind);
  });
  const areFilled = await mapStockLevels({ tenant, stockId }, rowsInScope, hasGoods);
  const empty = rowsInScope.filter((_, index) => !areFilled[index]).map(({ product_id }) => product_id);
  const settled = await readSettledBalances(tenant, stockId, empty);
  const filled = new Set(settled.filter(hasGoods).map(({ product_id }) => product_id));
  planned.push(...rowsInScope.filter(({ product_id }, index) => areFilled[index] || filled.has(product_id)));
}

function hasGoods({ quantity }: { readonly quantity: number }): boolean {
  return quantity > 0;
}

function newCount(
  actor: Staff,
  id: number,
  company_id: number,
  { input, listing, at }: { readonly input: StocktakeInput; readonly listing: Listing; readonly at: Instant },
): StoredStocktake {
  const { stock_id, type, responsible_id, comment } = input;
  const kinds = listing.planned.flatMap(({ product_id }) => listing.kinds.get(product_id) ?? []);
  return {
    ...totals((name) => (name === 'products_count' ? listing.planned.length : 0)),
    id,
    ...makerOf(actor),
    updater_id: actor.id,
    company_id,
    stock_id,
    responsible_id,
    type,
    status: 'in_progress',
    comment,
    ...timesOf(at),
    category_ids: idSet(kinds.map(({ category_id }) => category_id)),
    brand_ids: idSet(kinds.flatMap(({ brand_id }) => brand_id ?? [])),
    ...ownerState('preparing'),
  };
}

function idSet(ids: readonly number[]): Record<string, true> {
  return Object.fromEntries(ids.map((id) => [String(id), true as const]));
}
