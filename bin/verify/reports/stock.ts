import type * as z from 'zod';
import { stockReport } from '#lib/reports/stock/stock.ts';
import type { BatchPart } from '#lib/stock/batch-part.ts';
import type { StockLevel } from '#lib/stock/stock-level.ts';
import { Currency } from '#lib/values/money.ts';
import { exactAmountOf } from '#lib/values/quantity.ts';
import { type CheckedReport, POINT_IN_TIME_SUMS, ReportSums } from './frame.ts';

/** The report of stock: how much there is and what it cost, by product and by warehouse. */
export const STOCK_REPORT: CheckedReport = {
  book: 'stock report',
  of: 'balances and documents',
  rule: POINT_IN_TIME_SUMS,
  read: async (actor) => {
    const told = new ReportSums();
    for (const group of ['product', 'stock'] as const) {
      const { data } = await stockReport(actor, { group, filter: {} }, { at: Date.now(), locale: 'ru' });
      for (const { key, quantity, held_quantity, in_transit_quantity, costs } of data) {
        const row = `${group} ${key}`;
        told.add(row, 'quantity', quantity);
        told.add(row, 'held quantity', held_quantity);
        told.add(row, 'quantity in transit', in_transit_quantity);
        for (const currency of Currency.options) told.add(row, `cost in ${currency}`, costs[currency]);
      }
    }
    return told;
  },
};

/** A product in a warehouse. */
interface Shelf {
  readonly stock_id: number;
  readonly product_id: number;
}

type Goods = Pick<BatchPart, 'cost' | 'currency' | 'quantity'>;

/** What warehouses have, added up from balances, holds and transfers. */
export class OnHand {
  readonly sums = new ReportSums();
  /** By shelf, cost and currency: all of one cost together are rounded once. */
  readonly #costs = new Map<string, Shelf & Goods>();

  addShelf(balance: z.input<typeof StockLevel>): void {
    const { quantity, held = 0, batches } = balance;
    this.#add(balance, 'quantity', quantity + held);
    this.#add(balance, 'held quantity', held);
    this.addGoods(
      balance,
      batches.map(({ left, ...batch }) => ({ ...batch, quantity: left })),
    );
  }

  /** Adds goods that are on their way: they are the sender's. */
  addSent(shelf: Shelf, { quantity, batches }: { quantity: number; batches: readonly Goods[] }): void {
    this.#add(shelf, 'quantity in transit', quantity);
    this.addGoods(shelf, batches);
  }

  /** Adds the cost of goods. */
  addGoods({ stock_id, product_id }: Shelf, batches: readonly Goods[]): void {
    for (const { cost, currency, quantity } of batches) {
      const name = `${stock_id} ${product_id} ${cost} ${currency}`;
      const before = this.#costs.get(name)?.quantity ?? 0;
      this.#costs.set(name, { stock_id, product_id, cost, currency, quantity: before + quantity });
    }
  }

  /** Ends the sums, once all is added. */
  end(): void {
    for (const { cost, currency, quantity, ...shelf } of this.#costs.values()) {
      this.#add(shelf, `cost in ${currency}`, exactAmountOf(cost, BigInt(quantity)));
    }
  }

  #add({ stock_id, product_id }: Shelf, figure: string, change: number | bigint): void {
    this.sums.add(`product ${product_id}`, figure, change);
    this.sums.add(`stock ${stock_id}`, figure, change);
  }
}
