import { requireTrading, type Staff } from '#lib/access/actor.ts';
import { keyOfRates, ratesFrom } from '#lib/cash/company-rates.ts';
import type { getDocument } from '#lib/records/documents.ts';
import { vouch } from '#lib/records/stored.ts';
import { Balance, balanceKey, STOCK_PRODUCT } from '#lib/stock/balance.ts';
import { lastCostsIn } from '#lib/stock/last-cost.ts';
import type { Origin } from '#lib/stock/part.ts';
import { allWarehouses } from '#lib/stock/warehouse.ts';
import { type Place, recordKey } from '#lib/table/keys.ts';
import { getItem, getItems } from '#lib/table/read/get.ts';
import { nextId } from '#lib/table/sequences.ts';
import { kindsOf } from '#lib/trade/count/goods.ts';
import { readPlan, readTraces, type Trace } from '#lib/trade/count/positions.ts';
import { counts, requireInProgress } from '#lib/trade/count/record.ts';
import { BATCH } from '#lib/trade/receipt/record.ts';
import { Problems } from '#lib/values/problems.ts';

/** A position with what was counted, and what somebody has done with it before. */
export interface CountedPosition {
  readonly balance: Balance;
  readonly actual: number;
  readonly trace: Trace | undefined;
}

/**
 * Reads what counting rests on: 400 for a count that is over, 422 on rows of another warehouse. Two round
 * trips.
 */
export async function readCounted(
  actor: Staff,
  place: Place,
  ids: readonly number[],
  getCount: typeof getDocument,
) {
  const { home } = actor;
  const [count, plan, traces, rows, warehouses] = await Promise.all([
    getCount(counts, actor, place.id),
    readPlan(place),
    readTraces(place, ids),
    getItems(ids.map((id) => recordKey(STOCK_PRODUCT, home, id))),
    allWarehouses(home),
  ]);
  requireInProgress(count);
  requireTrading(actor, count);
  const problems = new Problems();
  for (const [index, row] of rows.entries()) {
    if (row?.['stock_id'] === count.stock_id) continue;
    problems.add(`products_tmp.${index}.stock_product_id`, 'validation.not_found');
  }
  problems.throwIfAny();
  const productIds = rows.map((row) => Number(row?.['product_id']));
  const [items, kinds] = await Promise.all([
    getItems(productIds.map((productId) => balanceKey(home, count.stock_id, productId))),
    kindsOf(home, productIds),
  ]);
  const balances = items.map((item) => vouch(Balance, item));
  return { count, planned: new Set(plan.map(({ id }) => id)), traces, warehouses, balances, kinds };
}

/**
 * Refuses positions of which there is nothing, in the books or in reality: 422 on each. What went out while
 * the count began is planned, and may be counted so. Decisions, 9 (14).
 */
export function requireSomething(positions: readonly CountedPosition[], planned: ReadonlySet<number>): void {
  const problems = new Problems();
  for (const [index, { balance, actual }] of positions.entries()) {
    if (balance.quantity > 0 || actual > 0 || planned.has(balance.id)) continue;
    problems.add(`products_tmp.${index}.stock_product_id`, 'inventory.nothing_there');
  }
  problems.throwIfAny();
}

/**
 * Finds what a surplus of each product would cost, and draws the id of the batch that it would become. It
 * costs as much as the newest goods ever received in the family; what never was costs nothing, in the sale
 * currency. Decisions, 9 (11).
 */
export async function originsOf(
  { count, warehouses }: Awaited<ReturnType<typeof readCounted>>,
  { home }: Place,
  positions: readonly CountedPosition[],
): Promise<ReadonlyMap<number, Omit<Origin, 'at'>>> {
  const above = positions.filter(({ balance, actual }) => actual > balance.quantity);
  if (above.length === 0) return new Map();
  const productIds = above.map(({ balance }) => balance.product_id);
  const stockIds = warehouses.map(({ id }) => id);
  const [costs, first, rates] = await Promise.all([
    lastCostsIn(home, stockIds, productIds),
    nextId(BATCH, home, above.length),
    getItem(keyOfRates(home, count.company_id)),
  ]);
  const { saleCurrency } = ratesFrom(rates);
  return new Map(
    productIds.map((productId, index) => {
      const { cost, currency } = costs.get(productId) ?? { cost: 0, currency: saleCurrency };
      return [productId, { id: first + index, cost, currency }];
    }),
  );
}
