import * as z from 'zod';
import { lineOfText, optionalLine, orNull, text } from '#lib/values/fields.ts';
import { Timestamp, TimestampField } from '#lib/values/time.ts';

/** A fiscal receipt of a cheque or of a return, as the fiscal module gave it. Part 4, 4.6, 4. */
export const FiscalReceipt = z.object({
  terminal_id: z.string(),
  receipt_number: z.string(),
  sign: z.string().nullable(),
  qr_url: z.string().nullable(),
  fiscalized_at: Timestamp,
});

export type FiscalReceipt = z.input<typeof FiscalReceipt>;

const LONGEST_URL = 1000;

/** An address that is printed and linked to: it names no user, and is held as the URL standard writes it. */
const QrUrl = lineOfText(LONGEST_URL).transform((sent, context) => {
  const { protocol, username, password, href = '' } = URL.parse(sent) ?? {};
  if (protocol === 'https:' && !username && !password && href.length <= LONGEST_URL) return href;
  context.addIssue({ code: 'custom', message: 'validation.wrong_format' });
  return z.NEVER;
});

/** Input of one. */
export const FiscalReceiptInput = z.object({
  terminal_id: text(255),
  receipt_number: text(255),
  sign: optionalLine(255),
  qr_url: orNull(QrUrl),
  fiscalized_at: TimestampField,
});
