import { requireTrading, type Staff } from '#lib/auth/actor.ts';
import { keyOfRates, ratesFrom } from '#lib/cash/company-rates.ts';
import type { getDocument } from '#lib/records/documents.ts';
import { parseStored } from '#lib/records/stored.ts';
import type { BatchOrigin } from '#lib/stock/batch-part.ts';
import { lastCostsIn } from '#lib/stock/last-cost.ts';
import { STOCK_LEVEL_ROW, StockLevel, stockLevelKey } from '#lib/stock/stock-level.ts';
import { allWarehouses } from '#lib/stock/warehouse.ts';
import { recordKey } from '#lib/table/keys.ts';
import { getItem, getItems } from '#lib/table/read/get.ts';
import { nextId } from '#lib/table/sequences.ts';
import { BATCH } from '#lib/trade/goods-receipt/record.ts';
import { type ProductTraits, productTraits } from '#lib/trade/stocktake/goods.ts';
import { type PositionRecord, readPlan, readPositionRecords } from '#lib/trade/stocktake/positions.ts';
import { requireInProgress, stocktakeRef, stocktakes } from '#lib/trade/stocktake/record.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';

/** Position with its counted quantity, and its earlier record. */
export interface CountedPosition {
  readonly balance: StockLevel;
  readonly actual: number;
  readonly trace: PositionRecord | undefined;
  readonly kind: ProductTraits | undefined;
  readonly isPlanned: boolean;
}

/**
 * Reads the data needed to record counts: 400 for an ended stocktake, 422 on rows of another warehouse, and
 * on positions with nothing in the books or counted. Two round trips.
 */
export async function readCountedPositions(
  actor: Staff,
  countId: number,
  counted: readonly { readonly stock_product_id: number; readonly actual_quantity: number }[],
  getCount: typeof getDocument,
) {
  const { tenant } = actor;
  const ref = stocktakeRef(tenant, countId);
  const ids = counted.map(({ stock_product_id }) => stock_product_id);
  const [count, plan, traces, rows, warehouses] = await Promise.all([
    getCount(stocktakes, actor, countId),
    readPlan(ref),
    readPositionRecords(ref, ids),
    getItems(ids.map((id) => recordKey(STOCK_LEVEL_ROW, tenant, id))),
    allWarehouses(tenant),
  ]);
  requireInProgress(count);
  requireTrading(actor, count);
  requireEach(rows, (row) => (row?.['stock_id'] === count.stock_id ? undefined : 'validation.not_found'));
  const productIds = rows.map((row) => Number(row?.['product_id']));
  const [items, kinds] = await Promise.all([
    getItems(productIds.map((productId) => stockLevelKey(tenant, count.stock_id, productId))),
    productTraits(tenant, productIds),
  ]);
  const planned = new Set(plan.map(({ id }) => id));
  const positions = counted.map(({ stock_product_id, actual_quantity: actual }, index): CountedPosition => {
    const balance = parseStored(StockLevel, items[index]);
    const isPlanned = planned.has(stock_product_id);
    return { balance, actual, trace: traces[index], kind: kinds.get(balance.product_id), isPlanned };
  });
  // Goods that left while the stocktake started are planned, and may be counted as zero. Contract 9.14.
  requireEach(positions, ({ balance, actual, isPlanned }) =>
    balance.quantity > 0 || actual > 0 || isPlanned ? undefined : 'inventory.nothing_there',
  );
  return { count, positions, stockIds: warehouses.map(({ id }) => id) };
}

/** Validates each position: 422 on each failing one. */
function requireEach<T>(
  positions: readonly T[],
  issueOf: (position: T) => 'validation.not_found' | 'inventory.nothing_there' | undefined,
): void {
  const issues = new ValidationIssues();
  for (const [index, position] of positions.entries()) {
    const issue = issueOf(position);
    if (issue) issues.add(`products_tmp.${index}.stock_product_id`, issue);
  }
  issues.throwIfAny();
}

/**
 * Returns the cost of each product's surplus, with an allocated id for its batch. It is the cost of the
 * newest goods ever received in the family; zero in the sale currency for a product never received.
 * Contract 9.11.
 */
export async function surplusOrigins(
  { tenant }: Staff,
  { count, positions, stockIds }: Awaited<ReturnType<typeof readCountedPositions>>,
): Promise<ReadonlyMap<number, Omit<BatchOrigin, 'at'>>> {
  const above = positions.filter(({ balance, actual }) => actual > balance.quantity);
  if (above.length === 0) return new Map();
  const productIds = above.map(({ balance }) => balance.product_id);
  const [costs, first, rates] = await Promise.all([
    lastCostsIn(tenant, stockIds, productIds),
    nextId(BATCH, tenant, above.length),
    getItem(keyOfRates(tenant, count.company_id)),
  ]);
  const { saleCurrency } = ratesFrom(rates);
  return new Map(
    productIds.map((productId, index) => {
      const { at: _, ...last } = costs.get(productId) ?? { at: 0, cost: 0, currency: saleCurrency };
      return [productId, { ...last, id: first + index }];
    }),
  );
}
