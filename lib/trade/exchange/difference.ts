import { onPrices } from '#lib/trade/pricing/price.ts';
import { type Allotment, allot } from '#lib/trade/return/allot.ts';
import { checkPayout, type PaidOut, type Payout, payOut } from '#lib/trade/return/payout.ts';
import type { ChequeHead } from '#lib/trade/sale/head.ts';
import { type Paid, type Payments, paymentsIn, takePayments } from '#lib/trade/sale/payments.ts';
import type { Sale } from '#lib/trade/sale/record.ts';
import { type Cents, MOST_AMOUNT, PaymentType, totalAmount } from '#lib/values/money.ts';
import type { Problems } from '#lib/values/problems.ts';
import type { Sides } from './sides.ts';

/** The worth of the new goods, and of those returned. */
interface Worth {
  readonly total: Cents;
  readonly value: Cents;
}

/** The difference between new goods and returned ones, as a body pays it. */
interface Difference extends Worth {
  /** Paid by the customer, if the new goods cost more. */
  readonly surcharge: Payments;
  /** Paid to the customer, if they cost less. */
  readonly payouts: readonly Payout[];
}

/** An exchange's difference, paid by or to the customer, and what became of the returned value. */
export interface PaidDifference {
  readonly allotment: Allotment;
  readonly paid: Paid;
  readonly paidOut: PaidOut;
}

/**
 * Allots the returned value: it closes debt and pays for the new goods. The difference is paid by or to the
 * customer, at the new cheque's desk. What is wrong goes to `problems`.
 */
export function payDifference(
  { original, basis }: Sides,
  { payments, total, value }: Worth & { readonly payments: Payments },
  head: ChequeHead,
  problems: Problems,
): PaidDifference {
  const { sale } = original;
  const allotment = allot(original, value, total);
  const difference = differenceOf(payments, total, value);
  checkDifference(sale, { ...difference, transactions: payments.transactions }, allotment, problems);
  const paid = takePayments(basis, difference.surcharge, head, problems);
  const { ids, maker, comment, at } = head;
  const paidOut = payOut(
    { ...basis.desk, money: paid.money },
    { payouts: difference.payouts, currency: sale.currency },
    { ...maker, source_id: sale.id, comment, at, firstId: ids.posting },
    problems.unless('cashbox_id', 'currency'),
  );
  return { allotment, paid, paidOut };
}

/** Tells by which way the payments of a body go. */
function differenceOf(payments: Payments, total: Cents, value: Cents): Difference {
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
function checkDifference(
  sale: Sale,
  { transactions, ...difference }: Difference & Pick<Payments, 'transactions'>,
  allotment: Allotment,
  problems: Problems,
): void {
  const { total, value, surcharge, payouts } = difference;
  const wrong = onPrices(problems).unless('products', 'bundles', 'returned_products');
  if (total > MOST_AMOUNT) wrong.add('products', 'sale.amount_too_large');
  else if (total < value) {
    for (const [index, { payment_type }] of transactions.entries()) {
      if (payment_type === 'debt') wrong.add(`transactions.${index}.payment_type`, 'exchange.debt_payout');
    }
    checkPayout(sale, allotment, payouts, wrong.unless('transactions'));
  } else {
    const paid = totalAmount(surcharge.transactions);
    const due = total - value;
    if (paid !== due) wrong.add('transactions', { key: 'sale.payments_differ', with: { total: due / 100 } });
  }
}
