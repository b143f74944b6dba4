import * as z from 'zod';
import { optionalLine, orNull, text } from '#lib/values/fields.ts';
import { Timestamp, TimestampField } from '#lib/values/time.ts';

/** A fiscal receipt of a cheque or of a return, as the fiscal module gave it. Part 4, 4.6, 4. */
export const Fiscal = z.object({
  terminal_id: z.string(),
  receipt_number: z.string(),
  sign: z.string().nullable(),
  qr_url: z.string().nullable(),
  fiscalized_at: Timestamp,
});

export type Fiscal = z.input<typeof Fiscal>;

/** Input of one. */
export const FiscalInput = z.object({
  terminal_id: text(255),
  receipt_number: text(255),
  sign: optionalLine(255),
  qr_url: orNull(z.url({ protocol: /^https$/, error: 'validation.wrong_format' }).max(1000)),
  fiscalized_at: TimestampField,
});
