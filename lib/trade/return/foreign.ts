import { checkKinds } from '#lib/trade/sale/foreign-cash.ts';
import { amountPaidBy, moneyPaid } from '#lib/trade/sale/payment-totals.ts';
import type { Sale } from '#lib/trade/sale/record.ts';
import { type Currency, type MinorUnits, type Rates, totalAmount } from '#lib/values/money.ts';
import type { ValidationIssues } from '#lib/values/validation-issues.ts';
import { cashWorth, coinsWithin, isBelowCoin, lowerOf, withoutCoins } from './foreign-cash.ts';
import type { CountedPayout, Payout } from './payout.ts';
import { type Purse, payOwn, standFor } from './purse.ts';

/*
 * Money goes back as it came. What a credit company paid by bank goes back by bank. Foreign cash may go back
 * as such, at the rates that it came at. The rest is paid in the cheque's currency: as far as money of that
 * is left, at its value; what is beyond stands for foreign cash, and is paid at the lower of its rate and
 * today's, so that nobody gains by a rate of before. It counts as if at the one it came at: the difference is
 * what the currency has lost since. Below a hundredth of foreign cash nothing can go back as such: that is
 * paid at its value, whether the caller names it or not. Part 4, 4.6, 1; Contract 9.27; Contract 9.113.
 */

/** A cheque of which is paid out, with its money, and the rates of today: needed only for foreign cash. */
interface PaidSale {
  readonly sale: Sale;
  readonly purse: Purse;
  readonly rates: Rates;
}

/** Payouts with what each counts for, and what they leave of the cheque's money. */
interface Counted {
  readonly payouts: readonly CountedPayout[];
  readonly left: Purse;
}

type Asked = Omit<CountedPayout, 'counted_amount'>;

/** Tells whether payouts may have some in another currency than their cheque's. */
export function areForeign(payouts: readonly Pick<Payout, 'currency'>[]): boolean {
  return payouts.some(({ currency }) => currency !== null);
}

/**
 * Counts payouts in the cheque's currency, and checks that they make up what is due: what goes by bank and in
 * foreign cash, and what that leaves. What is wrong goes to `problems`.
 */
export function countPayouts(
  cheque: PaidSale,
  due: MinorUnits,
  payouts: readonly Payout[],
  issues: ValidationIssues,
): Counted {
  const { sale, purse } = cheque;
  const named = payouts.map((payout) => ({ ...payout, currency: payout.currency ?? sale.currency }));
  checkKinds(named, sale.currency, issues);
  const counted = named.map((payout, index) => {
    if (payout.currency === sale.currency) return { ...payout, counted_amount: payout.amount };
    const asked = { ...payout, path: `transactions.${index}`, due };
    return { ...payout, counted_amount: countBack(purse, asked, issues) };
  });
  const foreign = counted.filter(({ currency }) => currency !== sale.currency);
  const rest = due - moneyPaid({ transactions: foreign });
  const after = {
    ...purse,
    cash: purse.cash.map((cash) => withoutCoins(cash, amountIn(foreign, cash.currency))),
  };
  const bank = Math.min(Math.max(0, rest), after.bank ?? 0);
  const toPay = bank + costOf(after, Math.max(0, rest - bank), cheque);
  const paid = withSmallRest(counted, toPay, cheque);
  const own = paid.filter(({ currency }) => currency === sale.currency);
  const onPayments = issues.unless('transactions');
  if (rest < 0 || totalAmount(own) !== toPay) {
    const total = (rest < 0 ? due : due - rest + toPay) / 100;
    onPayments.add('transactions', { key: 'return.payments_differ', with: { total } });
  }
  checkCredit(cheque, own, { bank, rest }, onPayments);
  return {
    payouts: countAs(paid, sale.currency, rest - toPay),
    left: payOwn(
      { ...after, bank: after.bank === null ? null : after.bank - bank },
      Math.max(0, rest - bank),
    ),
  };
}

function amountIn(payouts: readonly Asked[], currency: Currency): MinorUnits {
  return totalAmount(payouts.filter((payout) => payout.currency === currency));
}

/**
 * Counts a payout in foreign cash. What never came, or is more than is left, goes to `problems`; what is more
 * than is due at all is no matter of the currency.
 */
function countBack(
  { cash }: Purse,
  { amount, currency, path, due }: Asked & { readonly path: string; readonly due: MinorUnits },
  issues: ValidationIssues,
): MinorUnits {
  const came = cash.find((each) => each.currency === currency);
  if (!came) issues.add(`${path}.currency`, { key: 'return.not_paid_in', with: { currency } });
  if (!came) return 0;
  const worth = cashWorth(came, amount);
  if (amount > came.amount - came.gone || (worth > came.left && worth <= due)) {
    const available = coinsWithin(came, came.left) / 100;
    issues.add(`${path}.amount`, { key: 'return.too_much_foreign', with: { available } });
    return 0;
  }
  if (worth === 0) issues.add(`${path}.currency`, 'sale.foreign_too_little');
  return worth;
}

/** Computes what is paid for an amount in the cheque's currency: beyond plain money by a lower rate. */
function costOf(purse: Purse, sum: MinorUnits, { sale, rates }: PaidSale): MinorUnits {
  const { plain, foreign } = standFor(purse, sum);
  const atValue = foreign.reduce((left, part) => left - part, sum - plain);
  const costs = purse.cash.map((cash, index) => lowerOf(cash, foreign[index] ?? 0, rates, sale.currency));
  return costs.reduce((whole, cost) => whole + cost, plain + atValue);
}

/** Adds what is left below a hundredth of foreign cash, unless the caller says what is paid in cash. */
function withSmallRest(
  counted: readonly CountedPayout[],
  toPay: MinorUnits,
  { sale: { currency: own }, purse }: PaidSale,
): readonly CountedPayout[] {
  const rest = toPay - amountIn(counted, own);
  const isNamed = counted.some((paid) => paid.payment_type === 'cash' && paid.currency === own);
  const isSmall = purse.cash.some((cash) => amountIn(counted, cash.currency) > 0 && isBelowCoin(cash, rest));
  if (rest <= 0 || isNamed || !isSmall) return counted;
  const what = { payment_type: 'cash', payment_type_id: null } as const;
  return [...counted, { ...what, amount: rest, currency: own, counted_amount: rest }];
}

/**
 * Checks that what a credit company paid goes back by bank, along the whole chain; of the sale on credit
 * itself the rest goes in cash, as the first payment came.
 */
function checkCredit(
  { sale, purse }: PaidSale,
  own: readonly CountedPayout[],
  { bank, rest }: { readonly bank: MinorUnits; readonly rest: MinorUnits },
  issues: ValidationIssues,
): void {
  if (purse.bank === null) return;
  const by = (way: 'bank' | 'cash') => amountPaidBy([way], { transactions: own });
  const isRestFit = sale.source_type !== 'credit' || by('cash') === rest - bank;
  if (by('bank') === bank && isRestFit) return;
  const what = { bank: bank / 100, cash: (rest - bank) / 100 };
  issues.add('transactions', { key: 'return.credit_payments_differ', with: what });
}

/** Counts what was paid by a lower rate as if at the kept one: in cash if there is some, else the last. */
function countAs(paid: readonly CountedPayout[], own: Currency, more: MinorUnits): readonly CountedPayout[] {
  if (more <= 0) return paid;
  const isCash = ({ payment_type, currency }: CountedPayout) => payment_type === 'cash' && currency === own;
  const bearer = paid.find(isCash) ?? paid.findLast(({ currency }) => currency === own);
  return paid.map((each) =>
    each === bearer ? { ...each, counted_amount: each.counted_amount + more } : each,
  );
}
