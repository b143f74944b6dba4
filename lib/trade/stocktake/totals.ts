import * as z from 'zod';
import type { Embed } from '#lib/records/query/embeds.ts';
import type { Item } from '#lib/table/client.ts';
import { byCurrency, type Currency } from '#lib/values/money.ts';
import type { StoredStocktake } from './record.ts';

const TotalName = z.enum([
  ...['products_count', 'checked_products_count', 'matched_products_count'],
  ...['stock_quantity', 'actual_quantity', 'quantity_diff_above', 'quantity_diff_below'],
  ...['above_uzs', 'above_usd', 'above_eur', 'above_rub', 'below_uzs', 'below_usd', 'below_eur', 'below_rub'],
] as const);

const Totals = z.record(TotalName, z.number());

/** Totals of a stocktake's lines: fields of its document. */
export type Totals = Readonly<z.output<typeof Totals>>;

/** Builds totals, or changes of them, from a function of the name. */
export function totals(of: (name: keyof Totals) => number): Totals {
  return Totals.parse(Object.fromEntries(TotalName.options.map((name) => [name, of(name)])));
}

/** Computes the change from one state of totals to another. */
export function difference(before: Totals, after: Totals): Totals {
  return totals((name) => after[name] - before[name]);
}

/** Returns the sums of a stocktake by currency, as stored. */
export function sumsOf(count: Item, side: 'above' | 'below'): Record<Currency, number> {
  return byCurrency((currency) => Number(count[`${side}_${currency}`] ?? 0));
}

/** Sums in every response. */
export const shownSums: readonly Embed[] = (['above', 'below'] as const).map((side) => ({
  field: `amounts_diff_${side}`,
  keysOf: () => [],
  shape: (_, row) => sumsOf(row, side),
}));

/** Adds the sums to a stocktake, as in every response. */
export function withSums(count: StoredStocktake): StoredStocktake {
  return {
    ...count,
    amounts_diff_above: sumsOf(count, 'above'),
    amounts_diff_below: sumsOf(count, 'below'),
  };
}
