import * as z from 'zod';
import { Part } from '#lib/stock/batch.ts';
import type { Place } from '#lib/table/keys.ts';
import { Money, PaymentType } from '#lib/values/money.ts';
import { Quantity } from '#lib/values/quantity.ts';
import { Timestamp } from '#lib/values/time.ts';

/** What came back of a line, why, and into which batches. */
const ReturnedLine = z.object({
  /** The cheque's line. */
  id: z.int(),
  product_id: z.int(),
  returned_quantity: Quantity,
  /** Its part of the line's amount. */
  amount: Money,
  reason_type: z.enum(['defective', 'size_not_fit', 'expired_date', 'not_match']),
  comment: z.string().nullable(),
  batches: z.array(Part),
});

/** A return of a cheque's goods: what, why, who, when, with the money paid out. Decisions, 9 (28). */
export const SaleReturn = z.object({
  creator_id: z.int(),
  amount: Money,
  products: z.array(ReturnedLine),
  transactions: z.array(z.object({ payment_type: PaymentType, amount: Money })),
  created_at: Timestamp,
});

export type SaleReturn = z.input<typeof SaleReturn>;

/** Reads the returns of a cheque, the oldest first. There are none until goods can be returned. */
export async function readReturns(_sale: Place): Promise<SaleReturn[]> {
  return [];
}
