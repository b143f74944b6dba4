import * as z from 'zod';
import { Id } from '#lib/values/fields.ts';
import { amount, Currency, PaymentType, paymentList } from '#lib/values/money.ts';

/** Input to pay a client's debts. Part 3, "Debt payments". */
export const DebtPaymentInput = z.object({
  client_id: Id,
  cashbox_id: Id,
  currency: Currency.default('uzs'),
  payments: paymentList(z.object({ payment_type: PaymentType, amount: amount(0.01) })).min(1),
});

export type DebtPaymentInput = z.output<typeof DebtPaymentInput>;
