import type { Moved } from './documents.ts';
import type { PlayHistory } from './play.ts';
import type { Goods, Weeks } from './weeks.ts';

/* What the report of stock must be by the documents. Quantities are quarters of a piece here. */

interface Figures {
  quantity: number;
  held: number;
  sent: number;
  readonly costs: Record<string, number>;
  readonly values: Record<string, number>;
}

/** Adds up the goods of each shelf, and these by what a group asks for. */
export function stockRows(
  { goods }: Weeks,
  kept: PlayHistory,
  keyOf: (goods: Goods, stock: number) => number | null,
) {
  const rows = new Map<number | null, Figures>();
  for (const [stock, of] of Map.groupBy(kept.moved, ({ stock_id }) => stock_id)) {
    for (const card of goods) {
      const moved = of.filter(({ product_id }) => product_id === card.id);
      const [stockLevel, sent] = [quarters(moved, 'shelf'), quarters(moved, 'way')];
      const held = heldOf(kept, stock, card.id);
      // What is held has left no document yet: it stands on its shelf.
      if (stockLevel === 0 && sent === 0) continue;
      const key = keyOf(card, stock);
      const row = rows.get(key) ?? newFigures();
      rows.set(key, row);
      row.quantity += stockLevel;
      row.held += held;
      row.sent += sent;
      addCosts(row.costs, moved);
      row.values[card.sale_currency] =
        (row.values[card.sale_currency] ?? 0) + worth(card.sale_price, stockLevel + sent);
    }
  }
  return [...rows].map(([key, row]) => ({ key, ...shown(row) }));
}

/** Adds up all rows. */
export function stockTotals(weeks: Weeks, kept: PlayHistory) {
  return stockRows(weeks, kept, () => null);
}

function addCosts(costs: Record<string, number>, moved: readonly Moved[]): void {
  for (const same of Map.groupBy(moved, ({ cost, currency }) => `${cost} ${currency}`).values()) {
    const { cost = 0, currency = '' } = same[0] ?? {};
    costs[currency] = (costs[currency] ?? 0) + worth(cost, quarters(same, 'shelf') + quarters(same, 'way'));
  }
}

function quarters(moved: readonly Moved[], where: Moved['where']): number {
  const there = moved.filter((each) => each.where === where);
  return there.reduce((sum, { quantity }) => sum + Math.round(quantity * 4), 0);
}

function heldOf({ holds }: PlayHistory, stock: number, product: number): number {
  const lines = holds.filter(({ place }) => place.stock_id === stock).flatMap(({ products }) => products);
  const of = lines.filter(({ product_id }) => product_id === product);
  return of.reduce((sum, { quantity }) => sum + Math.round(quantity * 4), 0);
}

/** Computes an amount in 1/100, rounded half up. */
function worth(price: number, of: number): number {
  return Math.floor((2 * Math.round(price * 100) * of + 4) / 8);
}

function newFigures(): Figures {
  const none = { uzs: 0, usd: 0, eur: 0, rub: 0 };
  return { quantity: 0, held: 0, sent: 0, costs: { ...none }, values: { ...none } };
}

function shown({ quantity, held, sent, costs, values }: Figures) {
  const amounts = (sums: Record<string, number>) =>
    Object.fromEntries(Object.entries(sums).map(([currency, cents]) => [currency, cents / 100]));
  return {
    ...{ quantity: quantity / 4, held_quantity: held / 4, in_transit_quantity: sent / 4 },
    ...{ costs: amounts(costs), sale_values: amounts(values) },
  };
}
