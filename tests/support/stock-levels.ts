import type { StockLevel } from '#lib/stock/stock-level.ts';

/** Builds a stock level as stored in the table: of product 1 in warehouse 3, empty. */
export function newLevelOf(given: Partial<StockLevel> = {}): StockLevel {
  return {
    ...{ id: 1, stock_id: 3, product_id: 1, quantity: 0, batches: [] },
    ...{ recent: '', pages: 0, created_at: 0, version: 1 },
    ...given,
  };
}
