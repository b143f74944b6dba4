import type * as z from 'zod';
import { stockReport } from '#lib/reports/stock/stock.ts';
import type { BatchPart } from '#lib/stock/batch-part.ts';
import type { StockLevel } from '#lib/stock/stock-level.ts';
import { Currency } from '#lib/values/money.ts';
import { exactAmountOf } from '#lib/values/quantity.ts';
import { type CheckedReport, POINT_IN_TIME_SUMS, ReportSums } from './frame.ts';

/** The stock report: quantities and costs, by product and by warehouse. */
export const STOCK_REPORT: CheckedReport = {
  book: 'stock report',
  of: 'balances and documents',
  rule: POINT_IN_TIME_SUMS,
  read: async (actor) => {
    const reported = new ReportSums();
    for (const group of ['product', 'stock'] as const) {
      const { data } = await stockReport(actor, { group, filter: {} }, { at: Date.now(), locale: 'ru' });
      for (const { key, quantity, held_quantity, in_transit_quantity, costs } of data) {
        const row = `${group} ${key}`;
        reported.add(row, 'quantity', quantity);
        reported.add(row, 'held quantity', held_quantity);
        reported.add(row, 'quantity in transit', in_transit_quantity);
        for (const currency of Currency.options) reported.add(row, `cost in ${currency}`, costs[currency]);
      }
    }
    return reported;
  },
};

/** A product in a warehouse. */
interface StockLevelRef {
  readonly stock_id: number;
  readonly product_id: number;
}

type Goods = Pick<BatchPart, 'cost' | 'currency' | 'quantity'>;

/** Goods of warehouses, summed from stock levels, holds and transfers. */
export class OnHand {
  readonly sums = new ReportSums();
  /** By stock level, cost and currency: goods of equal unit cost are rounded together. */
  readonly #costs = new Map<string, StockLevelRef & Goods>();

  addShelf(balance: z.input<typeof StockLevel>): void {
    const { quantity, held = 0, batches } = balance;
    this.#add(balance, 'quantity', quantity + held);
    this.#add(balance, 'held quantity', held);
    this.addGoods(
      balance,
      batches.map(({ left, ...batch }) => ({ ...batch, quantity: left })),
    );
  }

  /** Adds goods in transit, which belong to the sender. */
  addSent(
    level: StockLevelRef,
    { quantity, batches }: { quantity: number; batches: readonly Goods[] },
  ): void {
    this.#add(level, 'quantity in transit', quantity);
    this.addGoods(level, batches);
  }

  /** Adds the cost of goods. */
  addGoods({ stock_id, product_id }: StockLevelRef, batches: readonly Goods[]): void {
    for (const { cost, currency, quantity } of batches) {
      const name = `${stock_id} ${product_id} ${cost} ${currency}`;
      const before = this.#costs.get(name)?.quantity ?? 0;
      this.#costs.set(name, { stock_id, product_id, cost, currency, quantity: before + quantity });
    }
  }

  /** Completes the sums, once all is added. */
  end(): void {
    for (const { cost, currency, quantity, ...level } of this.#costs.values()) {
      this.#add(level, `cost in ${currency}`, exactAmountOf(cost, BigInt(quantity)));
    }
  }

  #add({ stock_id, product_id }: StockLevelRef, figure: string, change: number | bigint): void {
    this.sums.add(`product ${product_id}`, figure, change);
    this.sums.add(`stock ${stock_id}`, figure, change);
  }
}
