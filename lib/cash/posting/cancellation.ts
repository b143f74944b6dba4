import * as z from 'zod';
import type { DocumentType } from '#lib/records/documents.ts';
import { Currency, Direction, PaymentType } from '#lib/values/money.ts';

/** The first part of their keys, and the name of their counter. */
export const POSTING_CANCELLATION = 'posting-cancellation';

/**
 * That money of a canceled posting moved back, and when: a posting itself never changes what it moved. So
 * reports add up both as they were made. Part 4, 4.5, 6.
 */
export const PostingCancellation = z.object({
  id: z.int(),
  posting_id: z.int(),
  company_id: z.int(),
  cashbox_id: z.int(),
  /** The way in which the money moved back. */
  type: Direction,
  payment_type: PaymentType,
  currency: Currency,
  amount: z.int(),
  created_at: z.int(),
});

/** Document type of cancellations of postings. Nobody lists them: they are added up. */
export const postingCancellations: DocumentType<typeof PostingCancellation> = {
  type: POSTING_CANCELLATION,
  schema: PostingCancellation,
};
