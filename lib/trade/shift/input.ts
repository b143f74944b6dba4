import * as z from 'zod';
import { distinct, Id, optionalText, orNull } from '#lib/values/fields.ts';
import { amount, Currency, eachKindOnce, MOST_AMOUNT, PaymentType } from '#lib/values/money.ts';
import { ClosingAction } from './record.ts';

const kind = { payment_type: PaymentType, currency: Currency };

const MOST = MOST_AMOUNT / 100;

/** Input to open a shift. Part 3, "Cash shifts". */
export const OpeningInput = z.object({
  cashbox_id: Id,
  stock_id: Id,
  opening_balances: eachKindOnce(z.array(z.object({ ...kind, amount: amount(0) })).max(20)).default([]),
  opening_comment: optionalText(1000),
});

export type OpeningInput = z.output<typeof OpeningInput>;

/** Input to close a shift. Part 3, "Cash shifts". */
export const ClosingInput = z.object({
  actuals: eachKindOnce(
    z.array(z.object({ ...kind, payment_type_id: orNull(z.int()), amount: amount(-MOST) })).max(50),
  ).default([]),
  closing_action: ClosingAction,
  leave_amounts: distinct(
    'currency',
    z.array(z.object({ currency: Currency, amount: amount(0) })).max(20),
  ).default([]),
  closing_comment: optionalText(1000),
});

export type ClosingInput = z.output<typeof ClosingInput>;
