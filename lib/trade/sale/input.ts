import * as z from 'zod';
import { productList } from '#lib/trade/document/fields.ts';
import { BundleTrackingCodes, TrackingCodes } from '#lib/trade/tracking-codes/tracking-code.ts';
import { enumeration } from '#lib/values/enumeration.ts';
import { Id, lineOfText, optionalLine, optionalText, orNull, text } from '#lib/values/fields.ts';
import { amount, Currency, paymentList } from '#lib/values/money.ts';
import { ONE, quantity } from '#lib/values/quantity.ts';
import { DayField, Timestamp, TimestampField } from '#lib/values/time.ts';

/** Payment types of a sale: money at the desk, debt, the client's bonuses, the client's deposit. */
export const SalePayment = enumeration('payment_type', ['cash', 'card', 'bank', 'debt', 'bonus', 'deposit']);

/** Number of a desk's draft; a desk has three. */
export const DraftNumber = z.int().min(1).max(3);

const MAX_A_CALL = 100;

/** Limit of a sale's services. Part 5, 5A.1, 1. */
const MAX_SERVICES = 50;

/** Key that a till assigns to a sale. Part 4, 4.4. */
export const SaleKey = z.string().regex(/^[\x21-\x7e]{1,255}$/, { error: 'validation.wrong_format' });

/** Fiscal receipt of a sale or a return, as issued by the fiscal module. Part 4, 4.6, 4. */
export const FiscalReceipt = z.object({
  terminal_id: z.string(),
  receipt_number: z.string(),
  sign: z.string().nullable(),
  qr_url: z.string().nullable(),
  fiscalized_at: Timestamp,
});

export type FiscalReceipt = z.input<typeof FiscalReceipt>;

const LONGEST_URL = 1000;

/** URL that is printed and linked to: without credentials, stored in the form of the URL standard. */
const QrUrl = lineOfText(LONGEST_URL).transform((sent, context) => {
  const { protocol, username, password, href = '' } = URL.parse(sent) ?? {};
  if (protocol === 'https:' && !username && !password && href.length <= LONGEST_URL) return href;
  context.addIssue({ code: 'custom', message: 'validation.wrong_format' });
  return z.NEVER;
});

/** Input of a fiscal receipt. */
export const FiscalReceiptInput = z.object({
  terminal_id: text(255),
  receipt_number: text(255),
  sign: optionalLine(255),
  qr_url: orNull(QrUrl),
  fiscalized_at: TimestampField,
});

/** Discount of a whole sale: one of both. Part 5, 5A.14, 1. */
const WholeDiscount = z
  .object({ amount: amount(0.01).optional(), percent: amount(0.01, 100).optional() })
  .refine((sent) => (sent.amount === undefined) !== (sent.percent === undefined), {
    error: 'validation.invalid',
  });

/** Input to sell. Contract 5. */
export const SaleInput = z.object({
  cashbox_id: Id,
  stock_id: Id,
  currency: Currency,
  client_id: orNull(Id),
  /** Type of the prices of products; the client's if omitted. Part 5, 5A.14, 2. */
  price_type_id: orNull(Id),
  hold_id: orNull(Id),
  /** Source draft of the desk. */
  cheque: orNull(DraftNumber),
  products: productList(
    z.object({
      product_id: Id,
      sold_quantity: quantity(8),
      price: amount(0.01).optional(),
      discount: amount(0).default(0),
      /** Tracking code of each piece, if the product has them. Part 4, 4.6, 4. */
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
  /** Services, several lines of one if wanted. Part 5, 5A.1, 1. */
  services: z
    .array(
      z.object({
        service_id: Id,
        quantity: quantity(8)
          .optional()
          .transform((units) => units ?? ONE),
        price: amount(0.01).optional(),
        discount: amount(0).default(0),
      }),
    )
    .max(MAX_SERVICES)
    .default([]),
  discount: orNull(WholeDiscount),
  transactions: paymentList(
    z.object({
      payment_type: SalePayment,
      amount: amount(0.01),
      /** The sale's if omitted; only cash may be in another. Part 4, 4.6, 1. */
      currency: orNull(Currency),
      /** Cash as handed over, for the receipt. Part 5, 5B.6. */
      tendered_amount: orNull(amount(0.01)),
    }),
  ).default([]),
  due_date: orNull(DayField),
  /** True if the debt may exceed the client's limit, given the right. Part 4, 4.6, 2. */
  exceed_limit: z.boolean().default(false),
  comment: optionalText(1000),
  key: orNull(SaleKey),
  /** Time of an offline sale. */
  sold_at: orNull(TimestampField),
  /** Time of the till's last sync; the time of the sale by default. Part 4, 4.4, 3. */
  known_at: orNull(TimestampField),
  /** Change given: 422 unless it equals the change due. Part 4, 4.6, 1. */
  change_amount: orNull(amount(0)),
  /** Seller of an offline sale; the caller by default. */
  creator_id: orNull(Id),
  fiscal: orNull(FiscalReceiptInput),
});

export type SaleInput = z.output<typeof SaleInput>;
