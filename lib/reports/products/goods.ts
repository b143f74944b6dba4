import { GOODS_FORM } from '#lib/reports/rollups/goods.ts';
import { walkCells } from '#lib/table/rollups/cell.ts';
import type { Rollup } from '#lib/table/rollups/read.ts';
import { Currency } from '#lib/values/money.ts';
import type { GoodsGroup } from './figures.ts';

/** A whole number, a `bigint` if it is past those that a number tells apart: most sums never are. */
type Whole = number | bigint;

/** What was sold and what came back of a product: a quantity, an amount and a cost of each. */
interface Sums {
  readonly product: number;
  readonly currency: number;
  readonly sold: Whole[];
  readonly returned: Whole[];
}

/** Adds cubes up to the goods of each product and currency. */
export function sumGoods(sold: readonly Rollup[], returned: readonly Rollup[]): GoodsGroup[] {
  const found = new Map<number, Sums>();
  addCubes(found, sold, 'sold');
  addCubes(found, returned, 'returned');
  return [...found.values()].map(goodsOf);
}

/** Adds up packed cells as they come: a year has a million of them. */
function addCubes(found: Map<number, Sums>, cubes: readonly Rollup[], side: 'sold' | 'returned'): void {
  for (const packed of cubes.flatMap((cube) => cube.packed)) {
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
  const begun = { product, currency, sold: [0, 0, 0], returned: [0, 0, 0] };
  found.set(name, begun);
  return begun;
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
  };
}
