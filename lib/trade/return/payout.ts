import * as z from 'zod';
import type { MoneyDesk } from '#lib/cash/desk/money.ts';
import { addToShift } from '#lib/cash/desk/movement.ts';
import { type PostingResult, postAtDesk, type RequestedMovement } from '#lib/cash/posting/make.ts';
import type { ClientBalances } from '#lib/clients/client-balances.ts';
import { type DepositEntry, newEntry } from '#lib/clients/deposit/record.ts';
import { amountPaidBy, checkKinds, moneyPaid, sumToDeposit } from '#lib/trade/sale/payments.ts';
import type { Sale } from '#lib/trade/sale/record.ts';
import type { SaleReturn } from '#lib/trade/sale/returns-of.ts';
import type { SaleHeader } from '#lib/trade/sale/sale-context.ts';
import { orNull } from '#lib/values/fields.ts';
import {
  amount,
  Currency,
  type MinorUnits,
  nameOf,
  PaymentType,
  type Rates,
  ReceivedPayment,
  totalAmount,
} from '#lib/values/money.ts';
import type { ValidationIssues } from '#lib/values/validation-issues.ts';
import { checkDeposited, checkLeastDeposit, leastDepositOf } from './deposit-payout.ts';
import {
  cashWorth,
  coinsWithin,
  isBelowCoin,
  lowerOf,
  type Purse,
  payOwn,
  standFor,
  withoutCoins,
} from './purse.ts';

/** Payment to the customer. */
export const Payout = z.object({
  payment_type: ReceivedPayment,
  payment_type_id: orNull(z.int()),
  amount: amount(0.01),
  /** The sale's if absent; cash may be refunded in the currency of its receipt. Part 4, 4.6, 1. */
  currency: orNull(Currency),
});

export type Payout = z.output<typeof Payout>;

/** Payout with its value in the sale's currency. */
export type CountedPayout = Omit<SaleReturn['transactions'][number], 'transfer_id'>;

/** Completed payouts: the postings, the desk's money after them, and the entry of the client's deposit. */
export interface PaidOut extends PostingResult {
  readonly transactions: SaleReturn['transactions'];
  readonly entry: DepositEntry | undefined;
}

/** Ids of a return that payouts get: the return's, the first of the postings', and the entry's. */
interface PayoutIds {
  readonly return: number;
  readonly posting: number;
  readonly deposit: number;
}

/** Circumstances of payouts, with the balances of the sale's client. */
interface PayoutOccasion extends Pick<SaleHeader, 'maker' | 'comment' | 'at'> {
  readonly sale: Sale;
  readonly clientSums: ClientBalances | undefined;
  readonly ids: PayoutIds;
}

/**
 * Pays for a return out of a desk's money, and to the client's deposit. Insufficient money goes to `issues`.
 */
export function payOut(
  desk: MoneyDesk,
  payouts: readonly CountedPayout[],
  { sale, clientSums, maker, comment, at, ids }: PayoutOccasion,
  issues: ValidationIssues,
): PaidOut {
  const moves = payouts.flatMap(({ payment_type, currency, amount }, index): RequestedMovement[] => {
    const money = PaymentType.safeParse(payment_type).data;
    const path = `transactions.${index}.amount`;
    return money ? [{ type: 'outcome', payment_type: money, currency, amount, path }] : [];
  });
  const source = { source_type: 'sale_return', source_id: sale.id } as const;
  const occasion = { ...maker, ...source, comment, at, firstId: ids.posting };
  const { currency } = sale;
  const returned = sumToDeposit(payouts);
  const money = addToShift(desk.money, { returns: 1, debt: { currency, returned } });
  const posted = postAtDesk({ ...desk, money }, moves, occasion, issues.unless('transactions'));
  const postingOf = new Map<string, number>(posted.postings.map((posting) => [nameOf(posting), posting.id]));
  const place = { company_id: sale.company_id, cashbox_id: desk.id };
  const made = { type: 'return', source_id: ids.return, ...place, ...maker, created_at: at } as const;
  return {
    ...posted,
    transactions: payouts.map((payout) => {
      const transfer_id = postingOf.get(`${payout.payment_type}_${payout.currency}`) ?? null;
      return { ...payout, transfer_id };
    }),
    entry:
      clientSums && sale.client_id !== null && returned > 0
        ? newEntry(clientSums, {
            ...{ id: ids.deposit, ...made, client_id: sale.client_id, currency },
            amount: returned,
          })
        : undefined,
  };
}

/*
 * Money is refunded as it was received. Money that a credit company paid by bank is refunded by bank. Foreign
 * cash may be refunded as such, at the rates of its receipt. The rest is paid in the sale's currency: at face
 * value as far as money in it is left, its part from the client's deposit to that deposit; beyond that it
 * replaces foreign cash, and is paid at the lower of its rate and today's, so that no client gains from a
 * former rate. It counts as if at the rate of receipt: the difference is the currency's loss since. An amount
 * below a hundredth of foreign cash cannot be refunded as such: it is paid at face value, whether the request
 * lists it or not, once the deposit has its part. Part 4, 4.6, 1; Part 5, 5A.6, 3; Contract 9.27; Contract
 * 9.113.
 */

/** Sale of a payout, with its money, and today's rates, needed only for foreign cash. */
interface PaidSale {
  readonly sale: Sale;
  readonly purse: Purse;
  readonly rates: Rates;
  /** Balances of the sale's client, deleted or not; undefined without one. */
  readonly clientSums: ClientBalances | undefined;
  /** True if the deposit may get less than came from it. Part 5, 5A.6, 3. */
  readonly mayPayOut: boolean;
  /** True for a preview: the payouts may fall short of the amount due. Part 5, 5B.5. */
  readonly mayFallShort?: boolean | undefined;
}

/** Payouts with their values, and the sale's remaining money. */
interface Counted {
  readonly payouts: readonly CountedPayout[];
  readonly left: Purse;
  /** Total of the payouts that are due, and its part that is not paid out yet. */
  readonly total: MinorUnits;
  readonly unpaid: MinorUnits;
  /** Part of the amount due that the client's deposit must get. */
  readonly leastDeposit: MinorUnits;
}

type RequestedPayout = Omit<CountedPayout, 'counted_amount'>;

/** Checks whether any payout may be in another currency than its sale's. */
export function areForeign(payouts: readonly Pick<Payout, 'currency'>[]): boolean {
  return payouts.some(({ currency }) => currency !== null);
}

/**
 * Counts payouts in the sale's currency, and validates that they add up to the amount due: by bank, in
 * foreign cash, and the rest. Violations go to `issues`.
 */
export function countPayouts(
  paidSale: PaidSale,
  due: MinorUnits,
  payouts: readonly Payout[],
  issues: ValidationIssues,
): Counted {
  const { sale, purse } = paidSale;
  const named = payouts.map((payout) => ({ ...payout, currency: payout.currency ?? sale.currency }));
  checkKinds(named, sale.currency, issues);
  const counted = named.map((payout, index) => {
    if (payout.currency === sale.currency) return { ...payout, counted_amount: payout.amount };
    const requested = { ...payout, path: `transactions.${index}`, due };
    return { ...payout, counted_amount: countBack(purse, requested, issues) };
  });
  const foreign = counted.filter(({ currency }) => currency !== sale.currency);
  const rest = due - moneyPaid({ transactions: foreign });
  const after = {
    ...purse,
    cash: purse.cash.map((cash) => withoutCoins(cash, amountIn(foreign, cash.currency))),
  };
  const bank = Math.min(Math.max(0, rest), after.bank ?? 0);
  const toPay = bank + costOf(after, Math.max(0, rest - bank), paidSale);
  const leastDeposit = leastDepositOf(purse, due);
  const paid = withSmallRest(counted, { toPay, leastDeposit }, paidSale);
  const own = paid.filter(({ currency }) => currency === sale.currency);
  const onPayments = issues.unless('transactions');
  const total = rest < 0 ? due : due - rest + toPay;
  const unpaid = toPay - totalAmount(own);
  const isShort = paidSale.mayFallShort === true && rest >= 0 && unpaid > 0;
  if (!isShort && (rest < 0 || unpaid !== 0))
    onPayments.add('transactions', { key: 'return.payments_differ', with: { total: total / 100 } });
  if (!isShort) checkCredit(paidSale, own, { bank, rest }, onPayments);
  checkDeposited(sale, paidSale.clientSums, named, issues);
  const mostDeposited = sumToDeposit(own) + (isShort ? unpaid : 0);
  if (!paidSale.mayPayOut) checkLeastDeposit(mostDeposited, leastDeposit, onPayments);
  return {
    ...{ total, unpaid, leastDeposit },
    payouts: countAs(paid, sale.currency, rest - toPay),
    left: payOwn(
      {
        ...after,
        bank: after.bank === null ? null : after.bank - bank,
        deposit: after.deposit - sumToDeposit(own),
      },
      Math.max(0, rest - bank),
    ),
  };
}

function amountIn(payouts: readonly RequestedPayout[], currency: Currency): MinorUnits {
  return totalAmount(payouts.filter((payout) => payout.currency === currency));
}

/**
 * Counts a payout in foreign cash. A currency never received, or an amount above the remainder, goes to
 * `issues`; an amount above the total due is validated elsewhere.
 */
function countBack(
  { cash }: Purse,
  { amount, currency, path, due }: RequestedPayout & { readonly path: string; readonly due: MinorUnits },
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

/** Computes the payment for an amount in the sale's currency: beyond plain money at a lower rate. */
function costOf(purse: Purse, sum: MinorUnits, { sale, rates }: PaidSale): MinorUnits {
  const { plain, foreign } = standFor(purse, sum);
  const atValue = foreign.reduce((left, part) => left - part, sum - plain);
  const costs = purse.cash.map((cash, index) => lowerOf(cash, foreign[index] ?? 0, rates, sale.currency));
  return costs.reduce((whole, cost) => whole + cost, plain + atValue);
}

/**
 * Adds the remainder below a hundredth of foreign cash, unless the request lists a cash payout, or the
 * client's deposit has not got its part.
 */
function withSmallRest(
  counted: readonly CountedPayout[],
  { toPay, leastDeposit }: { readonly toPay: MinorUnits; readonly leastDeposit: MinorUnits },
  { sale: { currency: own }, purse }: PaidSale,
): readonly CountedPayout[] {
  if (sumToDeposit(counted) < leastDeposit) return counted;
  const rest = toPay - amountIn(counted, own);
  const isNamed = counted.some((paid) => paid.payment_type === 'cash' && paid.currency === own);
  const isSmall = purse.cash.some((cash) => amountIn(counted, cash.currency) > 0 && isBelowCoin(cash, rest));
  if (rest <= 0 || isNamed || !isSmall) return counted;
  const details = { payment_type: 'cash', payment_type_id: null } as const;
  return [...counted, { ...details, amount: rest, currency: own, counted_amount: rest }];
}

/**
 * Validates that a credit company's payment is refunded by bank, along the whole chain; for the sale on
 * credit itself the rest is refunded in cash, as the first payment was received, or to the client's deposit.
 */
function checkCredit(
  { sale, purse }: PaidSale,
  own: readonly CountedPayout[],
  { bank, rest }: { readonly bank: MinorUnits; readonly rest: MinorUnits },
  issues: ValidationIssues,
): void {
  if (purse.bank === null) return;
  const by = (...ways: CountedPayout['payment_type'][]) => amountPaidBy(ways, { transactions: own });
  const isRestFit = sale.source_type !== 'credit' || by('cash', 'deposit') === rest - bank;
  if (by('bank') === bank && isRestFit) return;
  const details = { bank: bank / 100, cash: (rest - bank) / 100 };
  issues.add('transactions', { key: 'return.credit_payments_differ', with: details });
}

/**
 * Counts a payment at a lower rate as if at the rate of receipt: on the cash payout if there is one, else the
 * last.
 */
function countAs(paid: readonly CountedPayout[], own: Currency, more: MinorUnits): readonly CountedPayout[] {
  if (more <= 0) return paid;
  const isCash = ({ payment_type, currency }: CountedPayout) => payment_type === 'cash' && currency === own;
  const bearer = paid.find(isCash) ?? paid.findLast(({ currency }) => currency === own);
  return paid.map((each) =>
    each === bearer ? { ...each, counted_amount: each.counted_amount + more } : each,
  );
}
