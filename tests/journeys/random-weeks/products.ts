import type { ReturnedDocument, SoldDocument } from './documents.ts';
import type { PlayHistory } from './play.ts';
import { type Asked, cents, chosen, percent, sum } from './sales.ts';
import { type Goods, SEGMENTS } from './weeks.ts';

/* What the report of products must be by the lines of cheques and returns. Amounts are in 1/100 here. */

/** A line, and the product that it is of. */
interface Line {
  readonly goods: Goods;
  readonly currency: string;
  readonly sold: number;
  readonly returned: number;
  readonly revenue: number;
  readonly cost: number;
}

/** A choice of goods, of all that the documents asked for are of. */
interface GoodsAsked extends Asked {
  readonly isOfGoods: (goods: Goods) => boolean;
  readonly group: 'product' | 'category' | 'brand';
}

/** Adds lines up by what a group asks for, and by currency; and by currency alone. */
export function productRows(
  kept: PlayHistory,
  goods: readonly Goods[],
  { group, isOfGoods, ...asked }: GoodsAsked,
) {
  const lines = linesOf(chosen(kept, asked), goods).filter((line) => isOfGoods(line.goods));
  const ofCurrencies = [...Map.groupBy(lines, ({ currency }) => currency).values()];
  const keyOf = ({ goods: { id, category_id, brand_id } }: Line) =>
    ({ product: id, category: category_id, brand: brand_id })[group];
  return {
    rows: ofCurrencies.flatMap((all) => {
      const whole = sum(all, ({ revenue }) => revenue);
      const groups = [...Map.groupBy(all, keyOf)].sort(([a], [b]) => Number(a) - Number(b));
      const letters = group === 'product' ? segments(groups.map(([, own]) => own)) : undefined;
      return groups.map(([key, own]) => rowOf(key, own, whole, letters?.get(own) ?? null));
    }),
    totals: ofCurrencies.map((all) =>
      rowOf(
        null,
        all,
        sum(all, ({ revenue }) => revenue),
        null,
      ),
    ),
  };
}

function linesOf(
  [sold, returned]: readonly [readonly SoldDocument[], readonly ReturnedDocument[]],
  goods: readonly Goods[],
): Line[] {
  const cardOf = (id: number) => {
    const card = goods.find((each) => each.id === id);
    if (!card) throw new Error(`There are no goods ${id}`);
    return card;
  };
  return [
    ...sold.flatMap(({ currency, products }) =>
      products.map(({ product_id, sold_quantity, amount, cost }) => ({
        ...{ goods: cardOf(product_id), currency, sold: sold_quantity, returned: 0 },
        ...{ revenue: cents(amount), cost: cents(cost) },
      })),
    ),
    ...returned.flatMap(({ currency, products }) =>
      products.map(({ product_id, returned_quantity, amount, cost }) => ({
        ...{ goods: cardOf(product_id), currency, sold: 0, returned: returned_quantity },
        ...{ revenue: -cents(amount), cost: -cents(cost) },
      })),
    ),
  ];
}

function rowOf(key: number | null, lines: readonly Line[], whole: number, abc: string | null) {
  const [revenue, cost] = [sum(lines, (line) => line.revenue), sum(lines, (line) => line.cost)];
  return {
    ...{ key, currency: lines[0]?.currency },
    ...{ quantity: sum(lines, ({ sold }) => sold), returned_quantity: sum(lines, (line) => line.returned) },
    ...{ revenue: revenue / 100, cost: cost / 100, cost_corrections: 0, profit: (revenue - cost) / 100 },
    margin_percent: revenue === 0 ? null : percent(revenue - cost, revenue),
    ...{ share_percent: whole === 0 ? 0 : percent(revenue, whole), abc },
  };
}

/** Walks products, which come by their ids, by falling revenue: what lies before each says its letter. */
function segments(products: readonly (readonly Line[])[]): Map<readonly Line[], string> {
  const withRevenue = products.map((lines) => ({ lines, revenue: sum(lines, (line) => line.revenue) }));
  const whole = sum(withRevenue, ({ revenue }) => revenue);
  const letters = new Map<readonly Line[], string>();
  let before = 0;
  for (const { lines, revenue } of withRevenue.sort((a, b) => b.revenue - a.revenue)) {
    const isBefore = (percents: number) => before === 0 || before * 100 < percents * whole;
    const letter = isBefore(SEGMENTS.a) ? 'A' : isBefore(SEGMENTS.b) ? 'B' : 'C';
    letters.set(lines, revenue < 0 ? 'C' : letter);
    before += revenue;
  }
  return letters;
}
