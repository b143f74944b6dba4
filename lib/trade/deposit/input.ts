import * as z from 'zod';
import { Id, nonBlankText, optionalText, orNull } from '#lib/values/fields.ts';
import { amount, Currency, Direction, nonZeroAmount, PaymentType } from '#lib/values/money.ts';

/** Input to take money into a client's deposit, or to pay it out. Part 5, 5A.6. */
export const ClientDepositInput = z.object({
  type: Direction,
  cashbox_id: Id,
  payment_type: PaymentType,
  currency: Currency,
  amount: amount(0.01),
  /** Hold that an income is for. */
  hold_id: orNull(Id),
  comment: optionalText(1000),
});

export type ClientDepositInput = z.output<typeof ClientDepositInput> & { readonly client_id: number };

/** Input to correct a client's deposit without money. Part 5, 5A.6. */
export const DepositCorrectionInput = z.object({
  currency: Currency,
  amount: nonZeroAmount(),
  comment: nonBlankText(1000),
});

export type DepositCorrectionInput = z.output<typeof DepositCorrectionInput> & { readonly client_id: number };
