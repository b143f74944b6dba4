import * as z from 'zod';
import { productList } from '#lib/trade/document/fields.ts';
import { BundleTrackingCodes, TrackingCodes } from '#lib/trade/tracking-codes/tracking-code.ts';
import { Id, lineOfText, optionalLine, optionalText, orNull, text } from '#lib/values/fields.ts';
import { amount, Currency, paymentList } from '#lib/values/money.ts';
import { quantity } from '#lib/values/quantity.ts';
import { DayField, Timestamp, TimestampField } from '#lib/values/time.ts';

/** The ways of paying a cheque: with money at the desk, on debt, with the client's bonuses. */
export const SalePayment = z.enum(['cash', 'card', 'bank', 'debt', 'bonus']);

/** The number of a desk's draft; a desk has three. */
export const DraftNumber = z.int().min(1).max(3);

const MAX_A_CALL = 100;

/** A till's own number of a sale. Part 4, 4.4. */
export const SaleKey = z.string().regex(/^[\x21-\x7e]{1,255}$/, { error: 'validation.wrong_format' });

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

/** Input to sell. Contract 5. */
export const SaleInput = z.object({
  cashbox_id: Id,
  stock_id: Id,
  currency: Currency,
  client_id: orNull(Id),
  hold_id: orNull(Id),
  /** The desk's draft from which the cheque was made. */
  cheque: orNull(DraftNumber),
  products: productList(
    z.object({
      product_id: Id,
      sold_quantity: quantity(8),
      price: amount(0.01).optional(),
      discount: amount(0).default(0),
      /** The mark of each piece, if the product is marked. Part 4, 4.6, 4. */
      marks: TrackingCodes,
    }),
    MAX_A_CALL,
  ).default([]),
  bundles: z
    .array(
      z.object({
        bundle_id: Id,
        quantity: z.int().min(1).max(1000).default(1),
        price: amount(0.01).optional(),
        discount: amount(0).default(0),
        marks: BundleTrackingCodes,
      }),
    )
    .max(MAX_A_CALL)
    .default([]),
  transactions: paymentList(
    z.object({
      payment_type: SalePayment,
      amount: amount(0.01),
      /** The cheque's if left out; cash alone may be in another. Part 4, 4.6, 1. */
      currency: orNull(Currency),
    }),
  ).default([]),
  due_date: orNull(DayField),
  /** Set if the debt may pass the client's limit: who may say so. Part 4, 4.6, 2. */
  exceed_limit: z.boolean().default(false),
  comment: optionalText(1000),
  key: orNull(SaleKey),
  /** When it was sold, if it arrives late. */
  sold_at: orNull(TimestampField),
  /** When the till's copy was last brought up to date; when it was sold unless named. Part 4, 4.4, 3. */
  known_at: orNull(TimestampField),
  /** Change, as it was given: 422 unless it is just what is due. Part 4, 4.6, 1. */
  change_amount: orNull(amount(0)),
  /** Who sold it, if it arrives late; else the caller. */
  creator_id: orNull(Id),
  fiscal: orNull(FiscalReceiptInput),
});

export type SaleInput = z.output<typeof SaleInput>;
