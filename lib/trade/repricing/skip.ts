import type { SkippedRow } from '#lib/catalog/repricing/record.ts';
import { lastCosts } from '#lib/stock/last-cost.ts';
import type { Origin } from '#lib/stock/part.ts';
import type { Home } from '#lib/table/keys.ts';
import { convertAmount } from '#lib/values/money.ts';
import type { PricedRow, Rates } from './rows.ts';

/** What tells whether a row can be repriced. */
interface Obstacles {
  readonly inDrafts: ReadonlySet<number>;
  readonly costs: ReadonlyMap<number, Origin>;
  readonly rates: Rates;
}

/**
 * Tells why a row can't be repriced; undefined if it can. Decisions, 9 (33); Decisions, 9 (90). The minimum
 * price is the one that the card would have: the row's own, or else the card's. It is compared with the row's
 * price, and with the latest cost in the row's currency, by the rates of the batch. Goods that never came
 * have no cost, and a card without a minimum passes.
 */
function whySkipped(
  { after, unconverted }: PricedRow,
  { inDrafts, costs, rates }: Obstacles,
): SkippedRow | undefined {
  const { id: product_id, sale_currency, min_price } = after;
  const isUnderMinimum = min_price !== null && after.sale_price < min_price;
  const ofRow = unconverted ?? (isUnderMinimum ? 'below_min_price' : undefined);
  const reason = inDrafts.has(product_id) ? 'in_active_sale' : ofRow;
  if (reason) return { product_id, reason, cost: null, cost_currency: null };
  const last = costs.get(product_id);
  if (!last || min_price === null) return undefined;
  const cost = convertAmount(last.cost, rates[last.currency], rates[sale_currency]);
  if (cost === undefined) {
    return { product_id, reason: 'cost_without_rate', cost: last.cost, cost_currency: last.currency };
  }
  if (min_price >= cost) return undefined;
  return { product_id, reason: 'min_price_below_cost', cost, cost_currency: sale_currency };
}

/** Splits rows into those that pass and those that are skipped, each of these with its reason. */
export function splitRows(rows: readonly PricedRow[], obstacles: Obstacles) {
  const judged = rows.map((row) => ({ row, skipped: whySkipped(row, obstacles) }));
  return {
    passed: judged.filter(({ skipped }) => skipped === undefined).map(({ row }) => row),
    skipped: judged.flatMap(({ skipped }) => skipped ?? []),
  };
}

/** Reads the latest costs of the products that would have a minimum price: no other cost is asked for. */
export function costsOf(home: Home, rows: readonly PricedRow[]): Promise<Map<number, Origin>> {
  const ids = rows.filter(({ after }) => after.min_price !== null).map(({ after }) => after.id);
  return lastCosts(home, ids);
}
