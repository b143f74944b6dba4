import * as z from 'zod';
import type { DocumentType } from '#lib/records/documents.ts';
import { Currency, Direction, PaymentType } from '#lib/values/money.ts';

/** Type in their keys, and name of their counter. */
export const POSTING_CANCELLATION = 'posting-cancellation';

/**
 * Return movement of a canceled posting, with its time: a posting itself is immutable in its amounts, so
 * reports sum up both by creation. Part 4, 4.5, 6.
 */
export const PostingCancellation = z.object({
  id: z.int(),
  posting_id: z.int(),
  company_id: z.int(),
  cashbox_id: z.int(),
  /** Direction of the return movement. */
  type: Direction,
  payment_type: PaymentType,
  currency: Currency,
  amount: z.int(),
  created_at: z.int(),
});

/** Document type of posting cancellations. They have no list, only totals. */
export const postingCancellations: DocumentType<typeof PostingCancellation> = {
  type: POSTING_CANCELLATION,
  schema: PostingCancellation,
};
