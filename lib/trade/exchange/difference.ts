import { type Allotment, checkPayout, type Payout } from '#lib/trade/return/payout.ts';
import { type Payments, paymentsIn } from '#lib/trade/sale/payments.ts';
import { onPrices } from '#lib/trade/sale/price.ts';
import type { Sale } from '#lib/trade/sale/record.ts';
import { type Cents, MOST_AMOUNT, PaymentType, totalAmount } from '#lib/values/money.ts';
import type { Problems } from '#lib/values/problems.ts';
import type { ExchangeInput } from './input.ts';

/** The difference between new goods and returned ones, as a body pays it. */
export interface Difference {
  /** The worth of the new goods, and of those returned. */
  readonly total: Cents;
  readonly value: Cents;
  /** Paid by the customer, if the new goods cost more. */
  readonly surcharge: Payments;
  /** Paid to the customer, if they cost less. */
  readonly payouts: readonly Payout[];
}

/** Tells by which way the payments of a body go. */
export function differenceOf(payments: Payments, total: Cents, value: Cents): Difference {
  if (total >= value) return { total, value, surcharge: payments, payouts: [] };
  const payouts = payments.transactions.flatMap(({ payment_type, amount }) => {
    const money = PaymentType.safeParse(payment_type).data;
    return money ? [{ payment_type: money, amount }] : [];
  });
  return { total, value, surcharge: paymentsIn(payments.charge.currency, []), payouts };
}

/**
 * Checks that the payments make up the difference exactly, and that none is made by a debt. Part 2, "Sales";
 * Decisions, 9 (25).
 */
export function checkDifference(
  sale: Sale,
  { transactions, ...difference }: Difference & Pick<ExchangeInput, 'transactions'>,
  allotment: Allotment,
  problems: Problems,
): void {
  const { total, value, surcharge, payouts } = difference;
  const wrong = onPrices(problems).restingOn('products', 'bundles', 'returned_products');
  if (total > MOST_AMOUNT) wrong.add('products', 'sale.amount_too_large');
  else if (total < value) {
    for (const [index, { payment_type }] of transactions.entries()) {
      if (payment_type === 'debt') wrong.add(`transactions.${index}.payment_type`, 'exchange.debt_payout');
    }
    checkPayout(sale, allotment, payouts, wrong.restingOn('transactions'));
  } else {
    const paid = totalAmount(surcharge.transactions);
    const due = total - value;
    if (paid !== due) wrong.add('transactions', { key: 'sale.payments_differ', with: { total: due / 100 } });
  }
}
