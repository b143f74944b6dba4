import * as z from 'zod';
import { remainderOf, type StoredDebt } from '#lib/clients/debt/record.ts';
import { amountPaidBy, paymentValueIn } from '#lib/trade/sale/payments.ts';
import type { Sale } from '#lib/trade/sale/record.ts';
import { allocateInOrder } from '#lib/values/allocation.ts';
import { Currency, type MinorUnits, type Rates, roundHalfUp } from '#lib/values/money.ts';

/*
 * A sale's money is refunded as it was received, so it moves along a chain of exchanges by origin: bank
 * payments of a credit company, cash in other currencies, and the rest, in the sale's own. Part 4, 4.6, 1.
 *
 * Nothing is stored while a sale's money has not moved: its payments suffice.
 */

/**
 * Foreign cash received by a sale, and its remainder. Payments in the sale's own currency reduce its
 * remaining value, but not its amount: whole coins are left, each worth its value on receipt. Part 4, 4.6, 1.
 */
export const ForeignCash = z.object({
  currency: Currency,
  /** Received amount, and the part refunded or passed on to other sales. */
  amount: z.int(),
  gone: z.int(),
  /** Remaining value in the sale's currency, without the part paid in that currency. */
  left: z.int(),
  /** Rates on receipt: of the foreign currency, and of the sale's. */
  rates: z.tuple([z.int(), z.int()]),
});

export type ForeignCash = Readonly<z.output<typeof ForeignCash>>;

/** Stored as tuples instead of named fields, so that a sale's header stays below 1 KB. */
const StoredCash = z.tuple([ForeignCash.shape.currency, z.int(), z.int(), z.int(), z.int(), z.int()]);

/** Purse as stored; its deposit, without that of debt payments, is absent from older ones. */
const StoredPurse = z.object({
  purse: z.tuple([z.int().nullable(), z.array(StoredCash), z.int().optional()]),
});

/** Money of a sale, or a moving part of it, by origin. */
export interface Purse {
  /** Plain money: card and cash in the sale's currency are not distinguished. */
  readonly own: MinorUnits;
  /** Bank money of a sale on credit; null if the chain has none. Contract 9.27. */
  readonly bank: MinorUnits | null;
  /** In order of payment. */
  readonly cash: readonly ForeignCash[];
  /**
   * Part of `own` that came from the client's deposit and has not gone back there; negative if more has gone
   * there. Part 5, 5A.6, 3.
   */
  readonly deposit: MinorUnits;
}

/** Remaining goods, debt and money of a sale. */
export interface Standing {
  readonly goods: MinorUnits;
  /** Outstanding or written off. */
  readonly debt: MinorUnits;
  readonly money: MinorUnits;
}

/** Computes the remainder of a sale: goods not returned, debt, and money of its own. */
export function saleRemainder(
  { sold_amount, returned_amount, received_amount, paid_out_amount, passed_on_amount }: Sale,
  debt: StoredDebt | undefined,
): Standing {
  return {
    goods: sold_amount - returned_amount,
    debt: debt ? remainderOf(debt) + (debt.written_off_amount ?? 0) : 0,
    money: received_amount + (debt?.repaid_amount ?? 0) - paid_out_amount - passed_on_amount,
  };
}

/** Computes the remaining money of a sale, by origin. */
export function purseOf(sale: Sale, debt: StoredDebt | undefined): Purse {
  const { bank, cash, deposit } = boundIn(sale);
  const bound = cash.reduce((sum, { left }) => sum + left, bank ?? 0);
  const own = Math.max(0, saleRemainder(sale, debt).money - bound);
  return { own, bank, cash, deposit: deposit + repaidByDeposit(debt) };
}

/**
 * Checks whether a sale, or an earlier one of its chain, received foreign cash. The sale's own purse
 * suffices: any foreign cash that earlier sales can return to it was in it before.
 */
export function hasForeignCash(sale: Sale): boolean {
  return boundIn(sale).cash.length > 0;
}

/** Stores the remaining purse in a sale; plain money needs none. */
export function withPurse<T extends Sale>(
  sale: T,
  { bank, cash, deposit }: Purse,
  debt: StoredDebt | undefined,
): T {
  const before = boundIn(sale);
  const own = deposit - repaidByDeposit(debt);
  if (bank === null && cash.length === 0 && own === before.deposit) return sale;
  const stored = cash.map((each) => [each.currency, each.amount, each.gone, each.left, ...each.rates]);
  return { ...sale, purse: own === 0 ? [bank, stored] : [bank, stored, own] };
}

/**
 * Stores in a sale of a credit sale's chain that more, or less, of its money came by bank; elsewhere bank
 * money is plain. Contract 9.27.
 */
export function addBankMoney<T extends Sale>(sale: T, change: MinorUnits): T {
  const purse = purseOf(sale, undefined);
  if (purse.bank === null || change === 0) return sale;
  return withPurse(sale, { ...purse, bank: purse.bank + change }, undefined);
}

/** Returns the part of a debt that is repaid from the client's deposit. */
function repaidByDeposit(debt: StoredDebt | undefined): MinorUnits {
  return debt?.repaid_by_deposit ?? 0;
}

/** Reads the money of a sale that must be refunded as it was received. */
function boundIn(sale: Sale): Omit<Purse, 'own'> {
  const stored = StoredPurse.safeParse(sale).data?.purse;
  if (!stored) return firstPurse(sale);
  const cash = stored[1].map(([currency, amount, gone, left, ...rates]) => {
    return { currency, amount, gone, left, rates };
  });
  return { bank: stored[0], cash, deposit: stored[2] ?? 0 };
}

function firstPurse(sale: Sale): Omit<Purse, 'own'> {
  const { source_type, currency: own, transactions } = sale;
  const foreign = transactions.filter(({ currency }) => currency !== own);
  return {
    bank: source_type === 'credit' ? amountPaidBy(['bank'], sale) : null,
    deposit: amountPaidBy(['deposit'], sale),
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
 * foreign cash in whole hundredths, then money from the client's deposit, then the rest.
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
  const deposit = Math.max(0, Math.min(rest, purse.deposit));
  return [
    { own: rest, bank: purse.bank === null ? null : bank, cash: off, deposit },
    payOwn({ ...purse, bank: bankLeft, cash, deposit: purse.deposit - deposit }, rest),
  ];
}

/** Joins a purse with money received from another sale. */
export function join(purse: Purse, other: Purse): Purse {
  const known = new Map(purse.cash.map((each) => [each.currency, each]));
  const more = new Map(other.cash.map((each) => [each.currency, each]));
  return {
    own: purse.own + other.own,
    deposit: purse.deposit + other.deposit,
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

/**
 * Computes the value of an amount of foreign cash to be taken next: the difference of two totals, each
 * rounded down, so that all parts add up to the value on receipt.
 */
export function cashWorth(
  { amount, gone, left, rates: [from, to] }: ForeignCash,
  coins: MinorUnits,
): MinorUnits {
  const until = (sum: MinorUnits) => Number((BigInt(sum) * BigInt(from)) / BigInt(to));
  const worth = until(gone + coins) - until(gone);
  return coins === amount - gone && Math.abs(left - worth) === 1 ? left : worth;
}

/** Computes the foreign cash, in whole hundredths, that fits an amount of the sale's currency. */
export function coinsWithin(cash: ForeignCash, max: MinorUnits): MinorUnits {
  const [from, to] = cash.rates;
  const room = Math.min(max, cash.left);
  // A hundredth may be worth nothing, and is then not used.
  if (room <= 0) return 0;
  const near = Math.min(cash.amount - cash.gone, Number((BigInt(room) * BigInt(to)) / BigInt(from)) + 1);
  const tried = [near, near - 1, near - 2];
  return tried.find((coins) => coins > 0 && cashWorth(cash, coins) <= room) ?? 0;
}

/** Checks whether an amount of the sale's currency is below a hundredth of foreign cash. */
export function isBelowCoin({ rates: [from, to] }: ForeignCash, sum: MinorUnits): boolean {
  return BigInt(sum) * BigInt(to) < BigInt(from);
}

/** Takes foreign cash from its remainder. */
export function withoutCoins(cash: ForeignCash, coins: MinorUnits): ForeignCash {
  return { ...cash, gone: cash.gone + coins, left: cash.left - cashWorth(cash, coins) };
}

/** Computes the payment for a value of foreign cash: by the lower of its rate and today's, half up. */
export function lowerOf(cash: ForeignCash, sum: MinorUnits, rates: Rates, own: Currency): MinorUnits {
  const [from, to] = cash.rates.map(BigInt);
  const [fromNow, toNow] = [BigInt(rates[cash.currency]), BigInt(rates[own])];
  // A currency without a rate has no value today.
  if (!from || !to || fromNow === 0n || toNow === 0n || isBelowCoin(cash, sum)) return sum;
  if (fromNow * to >= from * toNow) return sum;
  return Math.max(1, Number(roundHalfUp(BigInt(sum) * fromNow * to, toNow * from)));
}
