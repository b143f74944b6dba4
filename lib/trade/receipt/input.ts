import * as z from 'zod';
import { linesInput } from '#lib/trade/document/fields.ts';
import { Id, optionalText, orNull } from '#lib/values/fields.ts';
import { amount, Currency } from '#lib/values/money.ts';
import { quantity } from '#lib/values/quantity.ts';

/** Input to make or edit a receipt. Decisions, 7, "Receipt". */
export const ReceiptInput = z.object({
  stock_id: Id,
  supplier_id: orNull(Id),
  currency: Currency,
  products: linesInput(
    z.object({
      product_id: Id,
      quantity: quantity(8),
      /** The cost of one piece, in the receipt's currency. */
      cost: amount(0),
      /** The product's new sale price, in its own sale currency. */
      sale_price: orNull(amount(0.01)),
    }),
  ),
  comment: optionalText(1000),
});

export type ReceiptInput = z.output<typeof ReceiptInput>;
