import { GOODS_FORM } from '#lib/reports/rollups/goods.ts';
import { walkCells } from '#lib/table/rollups/cell.ts';
import type { Rollup } from '#lib/table/rollups/read.ts';
import { Currency } from '#lib/values/money.ts';
import type { GoodsGroup } from './figures.ts';

/** An integer: a `bigint` only beyond the safe range of a number, which most sums never reach. */
type Whole = number | bigint;

/** Sold and returned goods of a product: quantity, amount and cost of each. */
interface Sums {
  readonly product: number;
  readonly currency: number;
  readonly sold: Whole[];
  readonly returned: Whole[];
}

/** Sums rollups to goods by product and currency. */
export function sumGoods(sold: readonly Rollup[], returned: readonly Rollup[]): GoodsGroup[] {
  const found = new Map<number, Sums>();
  addRollups(found, sold, 'sold');
  addRollups(found, returned, 'returned');
  return [...found.values()].map(goodsOf);
}

/** Adds packed cells as a stream: a year has a million of them. */
function addRollups(found: Map<number, Sums>, rollups: readonly Rollup[], side: 'sold' | 'returned'): void {
  for (const packed of rollups.flatMap((rollup) => rollup.packed)) {
    walkCells(packed, GOODS_FORM, (values) => {
      const { [side]: sums } = sumsAt(found, Number(values[0]), Number(values[1]));
      for (let sum = 0; sum < GOODS_FORM.sums; sum++) {
        sums[sum] = addWhole(sums[sum] ?? 0, values[GOODS_FORM.numbers + sum] ?? 0);
      }
    });
  }
}

function sumsAt(found: Map<number, Sums>, product: number, currency: number): Sums {
  const name = product * Currency.options.length + currency;
  const known = found.get(name);
  if (known) return known;
  const created = { product, currency, sold: [0, 0, 0], returned: [0, 0, 0] };
  found.set(name, created);
  return created;
}

function addWhole(one: Whole, other: Whole): Whole {
  const sum = Number(one) + Number(other);
  return Number.isSafeInteger(sum) ? sum : BigInt(one) + BigInt(other);
}

function goodsOf({ product, currency, sold, returned }: Sums): GoodsGroup {
  const [quantity = 0n, sold_amount = 0n, cost = 0n] = sold.map(BigInt);
  const [returned_quantity = 0n, returned_amount = 0n, returned_cost = 0n] = returned.map(BigInt);
  return {
    key: product,
    currency: Currency.options[currency] ?? 'uzs',
    quantity,
    returned_quantity,
    revenue: sold_amount - returned_amount,
    cost: cost - returned_cost,
    cost_corrections: 0n,
  };
}

/** Lists corrections of costs as goods without quantity. */
export function goodsOfCorrections(rollups: readonly Rollup[]): GoodsGroup[] {
  return rollups.flatMap(({ cells }) =>
    cells.map(({ of: [key = 0, currency = 0], sums: [more = 0n, less = 0n] }) => {
      const corrected = { cost: more - less, cost_corrections: more - less };
      const nothing = { quantity: 0n, returned_quantity: 0n, revenue: 0n };
      return { key, currency: Currency.options[currency] ?? 'uzs', ...nothing, ...corrected };
    }),
  );
}
