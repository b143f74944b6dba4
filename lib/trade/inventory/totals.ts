import type * as z from 'zod';
import type { Embed } from '#lib/records/embeds.ts';
import type { Item } from '#lib/table/client.ts';
import type { Currency } from '#lib/values/money.ts';
import { StoredInventory } from './record.ts';

/** What the lines of a count add up to. */
const Totals = StoredInventory.pick({
  products_count: true,
  checked_products_count: true,
  matched_products_count: true,
  stock_quantity: true,
  actual_quantity: true,
  quantity_diff_above: true,
  quantity_diff_below: true,
  above_uzs: true,
  above_usd: true,
  above_eur: true,
  above_rub: true,
  below_uzs: true,
  below_usd: true,
  below_eur: true,
  below_rub: true,
});

export type Totals = Readonly<z.input<typeof Totals>>;

/** Makes totals, or changes of them, as `of` tells each by its name. */
export function totals(of: (name: keyof Totals) => number): Totals {
  return {
    products_count: of('products_count'),
    checked_products_count: of('checked_products_count'),
    matched_products_count: of('matched_products_count'),
    stock_quantity: of('stock_quantity'),
    actual_quantity: of('actual_quantity'),
    quantity_diff_above: of('quantity_diff_above'),
    quantity_diff_below: of('quantity_diff_below'),
    above_uzs: of('above_uzs'),
    above_usd: of('above_usd'),
    above_eur: of('above_eur'),
    above_rub: of('above_rub'),
    below_uzs: of('below_uzs'),
    below_usd: of('below_usd'),
    below_eur: of('below_eur'),
    below_rub: of('below_rub'),
  };
}

/** Computes what changes from some totals to others. */
export function difference(before: Totals, after: Totals): Totals {
  return totals((name) => after[name] - before[name]);
}

/** Gives the sums of a count by currency, from what the table holds. */
export function sumsOf(inventory: Item, side: 'above' | 'below'): Record<Currency, number> {
  const of = (currency: Currency) => Number(inventory[`${side}_${currency}`] ?? 0);
  return { uzs: of('uzs'), usd: of('usd'), eur: of('eur'), rub: of('rub') };
}

/** What every answer shows of sums. */
export const shownSums: readonly Embed[] = (['above', 'below'] as const).map((side) => ({
  field: `amounts_diff_${side}`,
  keysOf: () => [],
  shape: (_, row) => sumsOf(row, side),
}));

/** Shows a count with its sums, as every answer does. */
export function withSums(inventory: StoredInventory): StoredInventory {
  return {
    ...inventory,
    amounts_diff_above: sumsOf(inventory, 'above'),
    amounts_diff_below: sumsOf(inventory, 'below'),
  };
}
