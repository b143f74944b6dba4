import * as z from 'zod';
import { LinesToReturn } from '#lib/trade/return/input.ts';
import { SaleInput } from '#lib/trade/sale/input.ts';
import { Id } from '#lib/values/fields.ts';
import { amount, paymentList } from '#lib/values/money.ts';

/** Input to exchange goods of a cheque for others. Part 2, "Sales". */
export const ExchangeInput = SaleInput.pick({
  cashbox_id: true,
  stock_id: true,
  currency: true,
  client_id: true,
  products: true,
  bundles: true,
  due_date: true,
  comment: true,
}).extend({
  company_id: Id,
  returned_products: LinesToReturn.min(1),
  transactions: paymentList(
    z.object({ payment_type: z.enum(['cash', 'card', 'bank', 'debt']), amount: amount(0.01) }),
  ).default([]),
});

export type ExchangeInput = z.output<typeof ExchangeInput>;
