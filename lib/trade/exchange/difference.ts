import { onPrices } from '#lib/trade/pricing/price.ts';
import type { Allotment } from '#lib/trade/return/allot.ts';
import { type CountedPayout, checkPayout, type PaidOut, payOut } from '#lib/trade/return/payout.ts';
import { type Lender, limitDebt } from '#lib/trade/sale/debt-limit.ts';
import { allPaid } from '#lib/trade/sale/paid.ts';
import { type Paid, paymentsIn, type Settled, takePayments } from '#lib/trade/sale/payments.ts';
import { MOST_AMOUNT, PaymentType } from '#lib/values/money.ts';
import type { Problems } from '#lib/values/problems.ts';
import type { Sides } from './sides.ts';

/** An exchange's difference as it was paid at one desk: by the customer for the new cheque, then to them. */
export interface PaidDifference {
  readonly paid: Paid;
  readonly paidOut: PaidOut;
}

/**
 * Pays the difference between new goods and returned ones at the new cheque's desk: by the customer if the
 * new ones cost more, or else to them. What is wrong goes to `problems`. Part 2, "Sales"; Decisions, 9 (25).
 */
export function payDifference(
  sides: Sides,
  allotment: Allotment,
  lender: Lender,
  problems: Problems,
): PaidDifference {
  const { original, basis, head, payments } = sides;
  const isSurcharge = allotment.goods >= allotment.value;
  const surcharge = isSurcharge ? payments : paymentsIn(payments.charge.currency, []);
  const payouts = isSurcharge ? [] : payoutsIn(payments);
  checkDifference(sides, allotment, payouts, problems);
  const limited = limitDebt(lender, surcharge, basis, problems);
  const paid = takePayments(basis, limited, head, problems);
  const paidOut = payOut(
    { ...basis.desk, money: paid.money },
    payouts,
    { ...head, sale: original.sale, firstId: head.ids.posting },
    problems.unless('cashbox_id', 'currency'),
  );
  return { paid, paidOut };
}

/** Joins what comes in and what goes out of one desk, whose money is one item. */
export function withPayouts({ paid, paidOut: { money, postings } }: PaidDifference): Paid {
  return { ...paid, money, postings: [...paid.postings, ...postings] };
}

function payoutsIn({ transactions }: Settled): CountedPayout[] {
  return transactions.flatMap(({ payment_type, path: _, ...paid }) => {
    const money = PaymentType.safeParse(payment_type).data;
    return money ? [{ ...paid, payment_type: money, payment_type_id: null }] : [];
  });
}

/** Checks that the payments make up the difference exactly, and that none to the customer is by a debt. */
function checkDifference(
  { original: { sale }, payments: { transactions } }: Sides,
  allotment: Allotment,
  payouts: readonly CountedPayout[],
  problems: Problems,
): void {
  const wrong = onPrices(problems).unless('products', 'bundles', 'returned_products');
  const surcharge = allotment.goods - allotment.value;
  if (allotment.goods > MOST_AMOUNT) wrong.add('products', 'sale.amount_too_large');
  else if (surcharge < 0) {
    for (const [index, { payment_type }] of transactions.entries()) {
      if (payment_type === 'debt') wrong.add(`transactions.${index}.payment_type`, 'exchange.debt_payout');
    }
    checkPayout(sale, allotment, payouts, wrong.unless('transactions'));
  } else if (allPaid({ transactions }) !== surcharge) {
    wrong.add('transactions', { key: 'sale.payments_differ', with: { total: surcharge / 100 } });
  }
}
