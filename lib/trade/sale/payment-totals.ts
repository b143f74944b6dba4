import { type MinorUnits, PaymentType } from '#lib/values/money.ts';
import { SalePayment } from './input.ts';
import type { Payment, Sale } from './record.ts';

type Way = Payment['payment_type'];

/** Payments of a cheque, or payouts of a return, and the change that was given of them. */
interface Settlement {
  readonly transactions: readonly Pick<Payment, 'payment_type' | 'counted_amount'>[];
  readonly change_amount?: Sale['change_amount'];
}

/**
 * Adds up what payments of some ways count for, in the cheque's currency. Change is given in cash, and taken
 * off it. Whoever adds payments up does it here: bonuses, limits of payouts, reports, forms. Part 4, 4.6, 1.
 */
export function amountPaidBy(
  ways: readonly Way[],
  { transactions, change_amount = 0 }: Settlement,
): MinorUnits {
  const counted = transactions.reduce(
    (sum, { payment_type, counted_amount }) => (ways.includes(payment_type) ? sum + counted_amount : sum),
    0,
  );
  return ways.includes('cash') ? counted - change_amount : counted;
}

/** Adds up what was paid with money. */
export function moneyPaid(settlement: Settlement): MinorUnits {
  return amountPaidBy(PaymentType.options, settlement);
}

/** Adds up all that was paid. */
export function allPaid(settlement: Settlement): MinorUnits {
  return amountPaidBy(SalePayment.options, settlement);
}
