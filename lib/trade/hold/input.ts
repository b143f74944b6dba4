import * as z from 'zod';
import { ChequeNumber, SaleInput } from '#lib/trade/sale/input.ts';
import { distinct, Id, lineOfText, listOf, optionalText, orNull, text } from '#lib/values/fields.ts';
import { quantity } from '#lib/values/quantity.ts';
import { DayField } from '#lib/values/time.ts';

const MOST_A_CALL = 100;

const Products = distinct(
  'product_id',
  z.array(z.object({ product_id: Id, quantity: quantity(8) })).max(MOST_A_CALL),
).default([]);

/** Goods of a cheque that are to be held. Part 2, "Holds". */
export const HeldGoods = z.object({
  cashbox_id: Id,
  /** Desk's draft that they come from, which is cleared. */
  cheque: ChequeNumber,
  products: Products,
  bundles: z
    .array(SaleInput.shape.bundles.unwrap().element.pick({ bundle_id: true, quantity: true, price: true }))
    .max(MOST_A_CALL)
    .default([]),
});

export type HeldGoods = z.output<typeof HeldGoods>;

/** What it takes to make a hold. Part 2, "Holds". */
export const HoldInput = HeldGoods.extend({
  stock_id: Id,
  full_name: text(100),
  date: orNull(DayField),
  comment: optionalText(1000),
});

export type HoldInput = z.output<typeof HoldInput>;

/**
 * What a hold is brought to: products, and bundles by their keys; what is left out goes back. Part 2,
 * "Holds".
 */
export const HoldContents = z.object({ products: Products, bundle_keys: listOf(lineOfText(255), 1000) });

export type HoldContents = z.output<typeof HoldContents>;
