import * as z from 'zod';

/** An amount as the table holds it: an integer of 1/100 of the currency's unit. */
export type Cents = number;

/** The currencies of prices and of kept money. */
export const Currency = z.enum(['uzs', 'usd', 'eur', 'rub']);

export type Currency = z.output<typeof Currency>;

/** A client's ways of paying at a desk with money. */
export const PaymentType = z.enum(['cash', 'card', 'bank']);

export type PaymentType = z.output<typeof PaymentType>;

/** The largest amount in a body. Part 2, "Limits". */
export const MOST_AMOUNT: Cents = 99_999_999_999_999;

/**
 * An amount that is held as an integer of 1/100 and shown with up to two decimals. Decisions, 1, "Amounts".
 */
export const Money = z
  .codec(z.int(), z.number(), { decode: (cents) => cents / 100, encode: centsOf })
  .meta({ description: 'up to 2 decimals' });

/** An amount of each currency. */
export const Sums = z.record(Currency, Money);

/**
 * Makes an amount in a body, `least`..999999999999.99 with up to two decimals, taken as integers of 1/100.
 */
export function amount(least: number, most = MOST_AMOUNT / 100) {
  return z
    .number()
    .min(least)
    .max(most)
    .refine((value) => centsOf(value) / 100 === value, {
      error: 'validation.too_many_decimals',
      params: { max: 2 },
    })
    .transform(centsOf);
}

/**
 * Converts an amount of another currency by the rates of both, rounded half up. A rate is 1/100 of a sum per
 * unit. Undefined if either is 0: nobody knows what a currency without a rate is worth.
 */
export function converted(cents: Cents, from: Cents, to: Cents): Cents | undefined {
  if (from === 0 || to === 0) return undefined;
  if (from === to) return cents;
  return Number(roundedHalfUp(BigInt(cents) * BigInt(from), BigInt(to)));
}

/** Adds up the amounts of rows. */
export function totalAmount(rows: readonly { readonly amount: Cents }[]): Cents {
  return rows.reduce((sum, { amount }) => sum + amount, 0);
}

/** Shares a sum over parts in proportion to their weights, to the last 1/100, by largest remainder. */
export function shared(sum: Cents, weights: readonly Cents[]): Cents[] {
  const whole = weights.reduce((total, weight) => total + BigInt(weight), 0n);
  if (whole === 0n) return weights.map(() => 0);
  const exact = weights.map((weight) => BigInt(sum) * BigInt(weight));
  const parts = exact.map((share) => share / whole);
  const byRemainder = exact
    .map((share, index) => ({ index, remainder: share % whole }))
    .sort((a, b) => (a.remainder === b.remainder ? a.index - b.index : a.remainder > b.remainder ? -1 : 1));
  const left = Number(BigInt(sum) - parts.reduce((total, part) => total + part, 0n));
  for (const { index } of byRemainder.slice(0, left)) parts[index] = (parts[index] ?? 0n) + 1n;
  return parts.map(Number);
}

/** Divides numbers that are not below zero, rounded half up. */
export function roundedHalfUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend * 2n + divisor) / (divisor * 2n);
}

function centsOf(value: number): Cents {
  return Math.round(value * 100);
}
