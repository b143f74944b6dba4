import * as z from 'zod';
import { Currency, type MinorUnits, type Rates, roundHalfUp } from '#lib/values/money.ts';

/*
 * Cash in another currency than its cheque's. What was paid in the cheque's own for some of it lowers what it
 * still counts for, and not how much of it there is: so whole coins are left of it, of which each is worth
 * what it was worth when it came. Part 4, 4.6, 1.
 */

/** Foreign cash that came for a cheque, and what is left of it. */
export const ForeignCash = z.object({
  currency: Currency,
  /** So much came, and so much of it went back or on to other cheques. */
  amount: z.int(),
  gone: z.int(),
  /** Counted in the cheque's currency, with nothing of what has been paid for it in that. */
  left: z.int(),
  /** Rates when it came: its own, and that of the cheque's currency. */
  rates: z.tuple([z.int(), z.int()]),
});

export type ForeignCash = Readonly<z.output<typeof ForeignCash>>;

/**
 * Computes what so much foreign cash counts for, beside what is gone: the difference of both, each rounded
 * down, so that all of it counts for what it counted for when it came.
 */
export function cashWorth(
  { amount, gone, left, rates: [from, to] }: ForeignCash,
  coins: MinorUnits,
): MinorUnits {
  const until = (sum: MinorUnits) => Number((BigInt(sum) * BigInt(from)) / BigInt(to));
  const worth = until(gone + coins) - until(gone);
  return coins === amount - gone && Math.abs(left - worth) === 1 ? left : worth;
}

/** Computes how much foreign cash is left within an amount of the cheque's currency, in whole hundredths. */
export function coinsWithin(cash: ForeignCash, max: MinorUnits): MinorUnits {
  const [from, to] = cash.rates;
  const room = Math.min(max, cash.left);
  // A hundredth may be worth nothing: for nothing none goes.
  if (room <= 0) return 0;
  const near = Math.min(cash.amount - cash.gone, Number((BigInt(room) * BigInt(to)) / BigInt(from)) + 1);
  const tried = [near, near - 1, near - 2];
  return tried.find((coins) => coins > 0 && cashWorth(cash, coins) <= room) ?? 0;
}

/** Tells whether an amount of the cheque's currency is below a hundredth of foreign cash. */
export function isBelowCoin({ rates: [from, to] }: ForeignCash, sum: MinorUnits): boolean {
  return BigInt(sum) * BigInt(to) < BigInt(from);
}

/** Takes foreign cash out of what is left of it. */
export function withoutCoins(cash: ForeignCash, coins: MinorUnits): ForeignCash {
  return { ...cash, gone: cash.gone + coins, left: cash.left - cashWorth(cash, coins) };
}

/** Computes what is paid for a sum of foreign cash: by the lower of its rate and today's, half up. */
export function lowerOf(cash: ForeignCash, sum: MinorUnits, rates: Rates, own: Currency): MinorUnits {
  const [from, to] = cash.rates.map(BigInt);
  const [fromNow, toNow] = [BigInt(rates[cash.currency]), BigInt(rates[own])];
  // Nobody knows what a currency without a rate is worth today.
  if (!from || !to || fromNow === 0n || toNow === 0n || isBelowCoin(cash, sum)) return sum;
  if (fromNow * to >= from * toNow) return sum;
  return Math.max(1, Number(roundHalfUp(BigInt(sum) * fromNow * to, toNow * from)));
}
