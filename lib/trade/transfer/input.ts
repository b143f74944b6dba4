import * as z from 'zod';
import { distinct, Id } from '#lib/values/fields.ts';
import { quantity } from '#lib/values/quantity.ts';

/** What it takes to make a transfer. Decisions, 7, "Transfer". */
export const StockTransferInput = z
  .object({
    from_stock_id: Id,
    to_stock_id: Id,
    products: distinct(
      'product_id',
      z
        .array(z.object({ product_id: Id, quantity: quantity(8) }))
        .min(1)
        .max(1000),
    ),
  })
  .refine(({ from_stock_id, to_stock_id }) => from_stock_id !== to_stock_id, {
    path: ['to_stock_id'],
    error: 'transfer.same_stock',
  });

export type StockTransferInput = z.output<typeof StockTransferInput>;
