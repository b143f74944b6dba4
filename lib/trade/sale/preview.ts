import * as z from 'zod';
import { Timestamp } from '#lib/values/time.ts';
import { Sale } from './record.ts';

/** Sale as a preview shows it, without ids, code and times of its own. Part 5, 5B.5. */
export const PreviewedSale = Sale.extend({
  id: z.int().nullable(),
  code: z.string().nullable(),
  sold_at: Timestamp.nullable(),
  created_at: Timestamp.nullable(),
  updated_at: Timestamp.nullable(),
});

/** Returns a decided sale without the ids, code and times that it would get. */
export function previewOf(sale: Sale): z.input<typeof PreviewedSale> {
  return {
    ...sale,
    ...{ id: null, code: null, sold_at: null, created_at: null, updated_at: null, source_data: [] },
    transactions: sale.transactions.map((paid) => ({ ...paid, transfer_id: null, debt_id: null })),
  };
}

/** Sale after a previewed return, without the time of its change. */
export const SaleAfterPreview = Sale.extend({ updated_at: Timestamp.nullable() });
