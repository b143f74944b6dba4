import * as z from 'zod';
import { Currency, type MinorUnits, type Rates, roundHalfUp } from '#lib/values/money.ts';

/*
 * Cash in another currency than its sale's. Payments in the sale's own currency reduce its remaining value,
 * but not its amount: whole coins are left, each worth its value on receipt. Part 4, 4.6, 1.
 */

/** Foreign cash received by a sale, and its remainder. */
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
