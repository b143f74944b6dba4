import * as z from 'zod';
import { Rounding } from '#lib/catalog/repricing/record.ts';
import { distinct, Id, orNull } from '#lib/values/fields.ts';
import { amount, Currency } from '#lib/values/money.ts';

/** So many rows are changed in twenty seconds. Decisions, 9 (34). */
const MOST_ROWS = 10_000;

/** What it takes to reprice products. Part 2, "Repricing batches". */
export const RepricingInput = z.object({
  company_id: Id,
  rounding_type: orNull(Rounding),
  /** What a dollar is worth from then on. */
  currency_rate: orNull(amount(1)),
  products: distinct(
    'product_id',
    z
      .array(
        z.object({
          product_id: Id,
          sale_price: amount(0.01),
          sale_currency: Currency,
          markup_percent: orNull(amount(0.01)),
          price_without_rounding: orNull(amount(0.01)),
          /** What the caller believes; the batch records what it really was. */
          previous_price: orNull(amount(0.01)),
          min_price: orNull(amount(0)),
          min_price_percent: orNull(amount(0, 10_000)),
        }),
      )
      .min(1)
      .max(MOST_ROWS),
  ),
});

export type RepricingInput = z.output<typeof RepricingInput>;
