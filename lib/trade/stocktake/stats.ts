import * as z from 'zod';
import { withinReachOf } from '#lib/auth/account-manager.ts';
import type { Staff } from '#lib/auth/actor.ts';
import { allWarehouses } from '#lib/stock/warehouse.ts';
import { update, type Write } from '#lib/table/change/write.ts';
import { all } from '#lib/table/expression.ts';
import { partition, recordKey, type Tenant } from '#lib/table/keys.ts';
import { wholePartition } from '#lib/table/read/walk.ts';
import type { StoredStocktake } from '#lib/trade/stocktake/record.ts';
import { sumsOf } from '#lib/trade/stocktake/totals.ts';
import { byCurrency, Currency, Sums } from '#lib/values/money.ts';
import { type Instant, Timestamp } from '#lib/values/time.ts';

/** Totals of completed stocktakes. Part 2, "Inventories"; Contract 9.10. */
export const StocktakeStats = z.object({
  total_count: z.int(),
  last_completed_at: Timestamp.nullable(),
  /** Percentage of matching positions among the checked ones, with two decimals. */
  accuracy_percent: z.number().nullable(),
  /** Surplus less shortage. */
  last_difference_amounts: Sums,
});

type CountStats = z.input<typeof StocktakeStats>;

const TYPE = 'inventory-stats';

/**
 * Totals of the completed stocktakes of one warehouse: only the completion of a stocktake changes them, one
 * at a time.
 */
const WarehouseStats = z.object({
  stock_id: z.int(),
  counts: z.int(),
  checked: z.int(),
  matched: z.int(),
  last: z.object({ at: z.number(), differences: z.record(Currency, z.int()) }),
});

/** Builds the write that adds a completed stocktake. */
export function statsWrite(tenant: Tenant, count: StoredStocktake, at: Instant): Write {
  const { stock_id, checked_products_count: checked, matched_products_count: matched } = count;
  const [above, below] = [sumsOf(count, 'above'), sumsOf(count, 'below')];
  const differences = Object.fromEntries(
    Currency.options.map((currency) => [currency, above[currency] - below[currency]]),
  );
  const set = { stock_id, last: { at, differences } };
  return update(recordKey(TYPE, tenant, stock_id), { set, add: { counts: 1, checked, matched } });
}

/** Computes the totals of the completed stocktakes of warehouses open to the caller. One round trip. */
export async function stats(actor: Staff): Promise<CountStats> {
  const { tenant } = actor;
  const [warehouses, items] = await Promise.all([
    allWarehouses(tenant),
    wholePartition(partition(TYPE, tenant)),
  ]);
  const isOpen = all(withinReachOf(actor, actor.warehouses)).matches;
  const open = new Set(warehouses.flatMap((warehouse) => (isOpen(warehouse) ? [warehouse.id] : [])));
  const found = items.map((item) => WarehouseStats.parse(item)).filter(({ stock_id }) => open.has(stock_id));
  const sum = (of: 'counts' | 'checked' | 'matched') => found.reduce((total, each) => total + each[of], 0);
  const latest = found
    .map(({ last }) => last)
    .sort((a, b) => a.at - b.at)
    .at(-1);
  const checked = sum('checked');
  return {
    total_count: sum('counts'),
    last_completed_at: latest?.at ?? null,
    accuracy_percent: checked === 0 ? null : Math.round((sum('matched') * 10_000) / checked) / 100,
    last_difference_amounts: latest?.differences ?? byCurrency(() => 0),
  };
}
