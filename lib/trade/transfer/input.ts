import * as z from 'zod';
import { linesInput } from '#lib/trade/document/fields.ts';
import { Id } from '#lib/values/fields.ts';
import { quantity } from '#lib/values/quantity.ts';

/** What it takes to make a transfer. Decisions, 7, "Transfer". */
export const StockTransferInput = z
  .object({
    from_stock_id: Id,
    to_stock_id: Id,
    products: linesInput(z.object({ product_id: Id, quantity: quantity(8) })),
  })
  .refine(({ from_stock_id, to_stock_id }) => from_stock_id !== to_stock_id, {
    path: ['to_stock_id'],
    error: 'transfer.same_stock',
  });

export type StockTransferInput = z.output<typeof StockTransferInput>;
