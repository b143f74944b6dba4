import * as z from 'zod';
import { keyed } from '#lib/reports/frame/report.ts';
import { costField, LargeCost } from '#lib/values/cost.ts';
import { enumeration } from '#lib/values/enumeration.ts';
import { Currency, LargeAmount } from '#lib/values/money.ts';
import { Percent, percentOf } from '#lib/values/percent.ts';
import { LargeQuantity } from '#lib/values/quantity.ts';

/** Segments of goods by their share of revenue. */
export const AbcSegment = enumeration('report.abc', ['A', 'B', 'C']);

/** A row of the report. Part 4, 4.5. */
export const ProductsRow = z.object({
  ...keyed,
  currency: Currency,
  quantity: LargeQuantity,
  returned_quantity: LargeQuantity,
  revenue: LargeAmount,
  cost: LargeCost,
  cost_corrections: LargeCost,
  profit: LargeCost,
  margin_percent: costField(Percent).nullable(),
  share_percent: Percent,
  abc: AbcSegment.nullable(),
});

export type ProductsRow = z.input<typeof ProductsRow>;

/** Sums of goods. */
export interface GoodsSums {
  readonly quantity: bigint;
  readonly returned_quantity: bigint;
  readonly revenue: bigint;
  readonly cost: bigint;
  readonly cost_corrections: bigint;
}

/** Goods of a key: a product, a category, a brand, or all together. */
export interface GoodsGroup extends GoodsSums {
  readonly key: number | null;
  readonly currency: Currency;
}

/** Sums goods by key and currency. */
export function addUpGoods(goods: Iterable<GoodsGroup>): GoodsGroup[] {
  const found = new Map<string, GoodsGroup>();
  for (const each of goods) {
    const name = `${each.key} ${each.currency}`;
    const before = found.get(name);
    found.set(name, before ? { ...each, ...addGoods(before, each) } : each);
  }
  return [...found.values()];
}

function addGoods(one: GoodsSums, other: GoodsSums): GoodsSums {
  return {
    quantity: one.quantity + other.quantity,
    returned_quantity: one.returned_quantity + other.returned_quantity,
    revenue: one.revenue + other.revenue,
    cost: one.cost + other.cost,
    cost_corrections: one.cost_corrections + other.cost_corrections,
  };
}

/** Computes the figures of goods; `whole` is the revenue of all goods in their currency. */
export function figuresOfGoods(
  { quantity, returned_quantity, revenue, cost, cost_corrections }: GoodsSums,
  whole: bigint,
): Omit<ProductsRow, 'key' | 'label' | 'currency' | 'abc'> {
  const profit = revenue - cost;
  return {
    ...{ quantity, returned_quantity, revenue, cost, cost_corrections, profit },
    margin_percent: percentOf(profit, revenue),
    share_percent: percentOf(revenue, whole) ?? 0,
  };
}
