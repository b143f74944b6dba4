import * as z from 'zod';
import { ReturnReason } from '#lib/trade/sale/returns-of.ts';
import { distinct, Id, optionalText, orNull } from '#lib/values/fields.ts';
import { amount, PaymentType, paymentList } from '#lib/values/money.ts';
import { quantity } from '#lib/values/quantity.ts';

/** Lines of a cheque, to be returned. Part 2, "Sales". */
export const LinesToReturn = distinct(
  'id',
  z
    .array(
      z.object({
        id: Id,
        reason_type: ReturnReason,
        returned_quantity: quantity(8),
        comment: optionalText(1000),
      }),
    )
    .max(100),
);

export type LinesToReturn = z.output<typeof LinesToReturn>;

/**
 * Input to return goods of a cheque; without products, all that remains of it. Part 2, "Sales"; Decisions,
 * 9 (82).
 */
export const ReturnInput = z.object({
  /** Desk to pay from, and warehouse for the goods; the cheque's if left out. */
  cashbox_id: orNull(Id),
  stock_id: orNull(Id),
  products: LinesToReturn.default([]),
  transactions: paymentList(
    z.object({ payment_type: PaymentType, payment_type_id: orNull(z.int()), amount: amount(0.01) }),
  ).default([]),
});

export type ReturnInput = z.output<typeof ReturnInput>;
