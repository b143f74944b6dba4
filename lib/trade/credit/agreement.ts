import * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { getDocument } from '#lib/records/documents.ts';
import { productList } from '#lib/trade/document/fields.ts';
import { amountPaidBy } from '#lib/trade/sale/payments.ts';
import { Agreement, sales } from '#lib/trade/sale/record.ts';
import { TrackingCodes } from '#lib/trade/tracking-codes/tracking-code.ts';
import { notFound } from '#lib/values/api-error.ts';
import { Id, orNull, Phone, text } from '#lib/values/fields.ts';
import { amount, Currency, Money } from '#lib/values/money.ts';
import { quantity } from '#lib/values/quantity.ts';
import { DayField } from '#lib/values/time.ts';

/** Buyer on credit, as known to the credit system. */
const Borrower = z.object({
  full_name: text(255),
  phone: Phone,
  pinfl: orNull(z.string().regex(/^\d{14}$/)),
});

/** Input to sell on credit. Contract 3. */
export const CreditInput = z.object({
  /** Id of the sale in the credit system. */
  external_id: text(255),
  agreement_number: text(255),
  agreement_date: DayField,
  months: z.int().min(1).max(360),
  initial_payment: amount(0),
  /** Cash as handed over for it. Part 5, 5B.6. */
  tendered_amount: orNull(amount(0.01)),
  stock_id: Id,
  cashbox_id: Id,
  currency: Currency,
  client: Borrower,
  products: productList(
    z.object({ product_id: Id, quantity: quantity(8), price: amount(0.01), marks: TrackingCodes }),
    100,
  ).min(1),
});

export type CreditInput = z.output<typeof CreditInput>;

/** Credit agreement of a sale, with the payers' amounts. Part 2, "Sale". */
export const CreditDetail = Agreement.extend({
  sale_id: z.int(),
  currency: Currency,
  total_amount: Money,
  initial_payment: Money,
  /** Payment of the credit company. */
  credit_amount: Money,
});

/** Reads the agreement of a sale on credit. Part 2, "Sale". 404 if it has none, or as for the sale itself. */
export async function creditDetail(actor: Staff, id: number): Promise<z.input<typeof CreditDetail>> {
  const sale = await getDocument(sales, actor, id);
  if (sale.source_type !== 'credit') throw notFound();
  return {
    ...Agreement.parse(sale.source_data),
    sale_id: sale.id,
    currency: sale.currency,
    total_amount: sale.sold_amount,
    initial_payment: amountPaidBy(['cash'], sale),
    credit_amount: amountPaidBy(['bank'], sale),
  };
}
