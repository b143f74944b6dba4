import * as z from 'zod';
import { distinct, Id } from '#lib/values/fields.ts';
import { amount, Currency, PaymentType } from '#lib/values/money.ts';

/** Input to pay a client's debts. Part 3, "Debt payments". */
export const DebtPaymentInput = z.object({
  client_id: Id,
  cashbox_id: Id,
  currency: Currency.default('uzs'),
  payments: distinct(
    'payment_type',
    z
      .array(z.object({ payment_type: PaymentType, amount: amount(0.01) }))
      .min(1)
      .max(10),
  ),
});

export type DebtPaymentInput = z.output<typeof DebtPaymentInput>;
