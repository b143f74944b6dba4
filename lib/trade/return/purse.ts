import * as z from 'zod';
import type { StoredDebt } from '#lib/clients/debt/record.ts';
import { amountPaidBy, paymentValueIn } from '#lib/trade/sale/payments.ts';
import type { Sale } from '#lib/trade/sale/record.ts';
import { allocateInOrder } from '#lib/values/allocation.ts';
import type { MinorUnits } from '#lib/values/money.ts';
import { cashWorth, coinsWithin, ForeignCash, withoutCoins } from './foreign-cash.ts';
import { saleRemainder } from './standing.ts';

/*
 * A sale's money is refunded as it was received, so it moves along a chain of exchanges by origin: bank
 * payments of a credit company, cash in other currencies, and the rest, in the sale's own. Part 4, 4.6, 1.
 *
 * Nothing is stored while a sale's money has not moved: its payments suffice.
 */

/** Stored as tuples instead of named fields, so that a sale's header stays below 1 KB. */
const StoredCash = z.tuple([ForeignCash.shape.currency, z.int(), z.int(), z.int(), z.int(), z.int()]);

const StoredPurse = z.object({ purse: z.tuple([z.int().nullable(), z.array(StoredCash)]) });

/** Money of a sale, or a moving part of it, by origin. */
export interface Purse {
  /** Plain money: card and cash in the sale's currency are not distinguished. */
  readonly own: MinorUnits;
  /** Bank money of a sale on credit; null if the chain has none. Contract 9.27. */
  readonly bank: MinorUnits | null;
  /** In order of payment. */
  readonly cash: readonly ForeignCash[];
}

/** Computes the remaining money of a sale, by origin. */
export function purseOf(sale: Sale, debt: StoredDebt | undefined): Purse {
  const { bank, cash } = boundIn(sale);
  const bound = cash.reduce((sum, { left }) => sum + left, bank ?? 0);
  return { own: Math.max(0, saleRemainder(sale, debt).money - bound), bank, cash };
}

/**
 * Checks whether a sale, or an earlier one of its chain, received foreign cash. The sale's own purse
 * suffices: any foreign cash that earlier sales can return to it was in it before.
 */
export function hasForeignCash(sale: Sale): boolean {
  return boundIn(sale).cash.length > 0;
}

/** Stores the remaining purse in a sale; plain money needs none. */
export function withPurse<T extends Sale>(sale: T, { bank, cash }: Purse): T {
  if (bank === null && cash.length === 0) return sale;
  const stored = cash.map((each) => [each.currency, each.amount, each.gone, each.left, ...each.rates]);
  return { ...sale, purse: [bank, stored] };
}

/** Reads the money of a sale that must be refunded as it was received. */
function boundIn(sale: Sale): Omit<Purse, 'own'> {
  const stored = StoredPurse.safeParse(sale).data?.purse;
  if (!stored) return firstPurse(sale);
  const cash = stored[1].map(([currency, amount, gone, left, ...rates]) => {
    return { currency, amount, gone, left, rates };
  });
  return { bank: stored[0], cash };
}

function firstPurse(sale: Sale): Omit<Purse, 'own'> {
  const { source_type, currency: own, transactions } = sale;
  const foreign = transactions.filter(({ currency }) => currency !== own);
  return {
    bank: source_type === 'credit' ? amountPaidBy(['bank'], sale) : null,
    cash: foreign.map(({ currency, amount, counted_amount: left }) => {
      return { currency, amount, gone: 0, left, rates: ratesOnReceipt(sale, { currency, amount }, left) };
    }),
  };
}

/**
 * Returns the rates at which foreign cash was received. For cash whose counted value matches no rate in whole
 * hundredths, they are that value and its amount. Contract 9.99.
 */
function ratesOnReceipt(
  sale: Sale,
  paid: Pick<ForeignCash, 'currency' | 'amount'>,
  counted: MinorUnits,
): ForeignCash['rates'] {
  const { currency: own, rates, payment_rates } = sale;
  const stored = payment_rates ?? rates;
  const isByRate = paymentValueIn(paid, own, stored) === counted;
  return isByRate ? [stored[paid.currency], stored[own]] : [counted, paid.amount];
}

/** Splits an amount of the sale's currency: plain money first, then foreign cash. */
export function standFor({ own, cash }: Pick<Purse, 'own' | 'cash'>, sum: MinorUnits) {
  const plain = Math.min(own, sum);
  return {
    plain,
    foreign: allocateInOrder(
      sum - plain,
      cash.map(({ left }) => left),
    ),
  };
}

/** Takes an amount of the sale's currency out of a purse. */
export function payOwn(purse: Purse, sum: MinorUnits): Purse {
  const { plain, foreign } = standFor(purse, sum);
  const cash = purse.cash.map((each, index) => ({ ...each, left: each.left - (foreign[index] ?? 0) }));
  return { ...purse, own: purse.own - plain, cash };
}

/**
 * Splits money off a purse for another sale, and returns both: first a credit company's bank money, then
 * foreign cash in whole hundredths, then the rest.
 */
export function splitPurse(purse: Purse, money: MinorUnits): readonly [off: Purse, left: Purse] {
  const bank = Math.min(purse.bank ?? 0, money);
  let rest = money - bank;
  const coins = purse.cash.map((each) => {
    const taken = coinsWithin(each, rest);
    rest -= cashWorth(each, taken);
    return taken;
  });
  const off = purse.cash.map((each, index) => {
    const amount = coins[index] ?? 0;
    return { ...each, amount, gone: 0, left: cashWorth(each, amount) };
  });
  const cash = purse.cash.map((each, index) => withoutCoins(each, coins[index] ?? 0));
  const bankLeft = purse.bank === null ? null : purse.bank - bank;
  return [
    { own: rest, bank: purse.bank === null ? null : bank, cash: off },
    payOwn({ ...purse, bank: bankLeft, cash }, rest),
  ];
}

/** Joins a purse with money received from another sale. */
export function join(purse: Purse, other: Purse): Purse {
  const known = new Map(purse.cash.map((each) => [each.currency, each]));
  const more = new Map(other.cash.map((each) => [each.currency, each]));
  return {
    own: purse.own + other.own,
    bank: purse.bank === null ? other.bank : purse.bank + (other.bank ?? 0),
    cash: [
      ...purse.cash.map((each) => {
        const { amount = 0, left = 0 } = more.get(each.currency) ?? {};
        return { ...each, amount: each.amount + amount, left: each.left + left };
      }),
      ...other.cash.filter(({ currency }) => !known.has(currency)),
    ],
  };
}
