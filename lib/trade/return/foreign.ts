import { checkKinds, valueIn } from '#lib/trade/sale/foreign.ts';
import { moneyPaid } from '#lib/trade/sale/paid.ts';
import type { Sale } from '#lib/trade/sale/record.ts';
import type { SaleReturn } from '#lib/trade/sale/returns-of.ts';
import { type Cents, type Currency, totalAmount } from '#lib/values/money.ts';
import type { Problems } from '#lib/values/problems.ts';
import type { Allotment } from './allot.ts';
import type { CountedPayout, Payout } from './payout.ts';

/*
 * Foreign cash goes back as far as it came, by the rates that it came at. What it counts for is the
 * difference between all that has gone back with it and without it, each rounded once: so once all of it is
 * back, it counts for what it counted for when it came, in however many parts.
 *
 * What is due seldom is a whole number of the smallest foreign coins. What is left below one of them is paid
 * in the cheque's own currency, whether the caller names it or not. Part 4, 4.6, 1.
 */

/** A cheque and its returns before this one; these are needed only if foreign cash goes back. */
interface PaidCheque {
  readonly sale: Sale;
  readonly returns: readonly SaleReturn[];
}

/** Tells whether payouts may have some in another currency than their cheque's. */
export function areForeign(payouts: readonly Payout[]): boolean {
  return payouts.some(({ currency }) => currency !== null);
}

/**
 * Counts the payouts of a return in the cheque's currency, and adds the one below a foreign coin. Foreign
 * money that is no cash, counts for nothing, or is more than came, goes to `problems`.
 */
export function countPayouts(
  cheque: PaidCheque,
  { due }: Allotment,
  payouts: readonly Payout[],
  problems: Problems,
): CountedPayout[] {
  const { currency: own } = cheque.sale;
  const asked = payouts.map((payout) => ({ ...payout, currency: payout.currency ?? own }));
  checkKinds(asked, own, problems);
  const counted = asked.map((payout, index) => {
    if (payout.currency === own) return { ...payout, counted_amount: payout.amount };
    return { ...payout, counted_amount: countBack(cheque, payout, `transactions.${index}`, problems) };
  });
  const rest = restOf(cheque.sale, due - moneyPaid({ transactions: counted }), counted);
  return rest === 0
    ? counted
    : [
        ...counted,
        { payment_type: 'cash', payment_type_id: null, amount: rest, currency: own, counted_amount: rest },
      ];
}

function countBack(
  { sale, returns }: PaidCheque,
  { amount, currency }: { readonly amount: Cents; readonly currency: Currency },
  path: string,
  problems: Problems,
): Cents {
  const cashIn = (rows: readonly Pick<CountedPayout, 'currency' | 'amount'>[]) =>
    totalAmount(rows.filter((row) => row.currency === currency));
  const came = cashIn(sale.transactions);
  const gone = cashIn(returns.flatMap(({ transactions }) => transactions));
  const worth = (cents: Cents) =>
    valueIn({ amount: cents, currency }, sale.currency, sale.payment_rates ?? sale.rates) ?? 0;
  const counted = worth(gone + amount) - worth(gone);
  if (came === 0) problems.add(`${path}.currency`, { key: 'return.not_paid_in', with: { currency } });
  else if (gone + amount > came) {
    problems.add(`${path}.amount`, {
      key: 'return.too_much_foreign',
      with: { available: (came - gone) / 100 },
    });
  } else if (counted === 0) problems.add(`${path}.currency`, 'sale.foreign_too_little');
  return counted;
}

/** Computes what is left below a coin of a foreign payout; none if the caller says what is paid in cash. */
function restOf(sale: Sale, left: Cents, counted: readonly CountedPayout[]): Cents {
  const isNamed = counted.some(
    ({ payment_type, currency }) => payment_type === 'cash' && currency === sale.currency,
  );
  const rates = sale.payment_rates ?? sale.rates;
  const isBelow = counted.some(({ currency }) => {
    return (
      currency !== sale.currency && BigInt(left) * BigInt(rates[sale.currency]) < BigInt(rates[currency])
    );
  });
  return left > 0 && isBelow && !isNamed ? left : 0;
}
