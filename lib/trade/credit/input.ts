import * as z from 'zod';
import { distinct, Id, orNull, Phone, text } from '#lib/values/fields.ts';
import { amount, Currency } from '#lib/values/money.ts';
import { quantity } from '#lib/values/quantity.ts';
import { DayField } from '#lib/values/time.ts';

// The buyer on credit, as the credit system knows them.
const Borrower = z.object({
  full_name: text(255),
  phone: Phone,
  pinfl: orNull(z.string().regex(/^\d{14}$/)),
});

/** Input to sell on credit. Decisions, 3. */
export const CreditInput = z.object({
  /** The credit system's own name of the sale. */
  external_id: text(255),
  agreement_number: text(255),
  agreement_date: DayField,
  months: z.int().min(1).max(360),
  initial_payment: amount(0),
  stock_id: Id,
  cashbox_id: Id,
  currency: Currency,
  client: Borrower,
  products: distinct(
    'product_id',
    z
      .array(z.object({ product_id: Id, quantity: quantity(8), price: amount(0.01) }))
      .min(1)
      .max(100),
  ),
});

export type CreditInput = z.output<typeof CreditInput>;
