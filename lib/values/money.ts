import * as z from 'zod';
import { enumeration } from './enumeration.ts';

/** An amount as stored: an integer of 1/100 of the currency's unit. */
export type MinorUnits = number;

/** The currencies of prices and of cash desks. */
export const Currency = enumeration('currency', ['uzs', 'usd', 'eur', 'rub']);

export type Currency = z.output<typeof Currency>;

/** The rate of each currency: 1/100 of a sum per unit; 0 if unknown. */
export type Rates = Readonly<Record<Currency, MinorUnits>>;

/** Returns an object with a value for each currency. */
export function byCurrency<T>(make: (currency: Currency, index: number) => T): Record<Currency, T> {
  return { uzs: make('uzs', 0), usd: make('usd', 1), eur: make('eur', 2), rub: make('rub', 3) };
}

/** Payment methods of a client at a cash desk. */
export const PaymentType = enumeration('payment_type', ['cash', 'card', 'bank']);

export type PaymentType = z.output<typeof PaymentType>;

/** Payment methods that count as received: money at a desk, and the client's deposit. Part 5, 5A.6, 2. */
export const ReceivedPayment = enumeration('payment_type', [...PaymentType.options, 'deposit']);

export type ReceivedPayment = z.output<typeof ReceivedPayment>;

/** The direction of a money movement. */
export const Direction = enumeration('operation.type', ['income', 'outcome']);

export type Direction = z.output<typeof Direction>;

/** Returns the direction that reverses a movement. */
export function oppositeOf({ type }: { readonly type: Direction }): Direction {
  return type === 'income' ? 'outcome' : 'income';
}

/** The largest amount in a body. Part 2, "Limits". */
export const MAX_AMOUNT: MinorUnits = 99_999_999_999_999;

/** An amount stored as an integer of 1/100 and shown with up to two decimals. Contract 1, "Amounts". */
export const Money = z
  .codec(z.int(), z.number(), { decode: (cents) => cents / 100, encode: centsOf })
  .meta({ description: 'up to 2 decimals' });

/** A sum of many amounts, or a product with a large rate: it may exceed the safe integers. */
export const LargeAmount = z
  .codec(z.bigint(), z.number(), {
    decode: (cents) => decimalOf(cents, 2),
    encode: (value) => BigInt(centsOf(value)),
  })
  .meta({ description: 'up to 2 decimals' });

/** An amount for each currency. */
export const Sums = z.record(Currency, Money);

/**
 * Returns the schema of an amount in a body, `least`..999999999999.99 with up to two decimals, converted to
 * integers of 1/100.
 */
export function amount(least: number, max = MAX_AMOUNT / 100) {
  return z
    .number()
    .min(least)
    .max(max)
    .refine((value) => centsOf(value) / 100 === value, {
      error: 'validation.too_many_decimals',
      params: { max: 2 },
    })
    .transform(centsOf);
}

/** Returns the schema of an amount of either sign in a body, but not 0. */
export function nonZeroAmount() {
  return amount(-MAX_AMOUNT / 100).refine((cents) => cents !== 0, { error: 'validation.zero' });
}

/**
 * Converts an amount to another currency by the rates of both, rounded half up. A rate is 1/100 of a sum per
 * unit. Undefined if either rate is 0, i.e. unknown.
 */
export function convertAmount(cents: MinorUnits, from: MinorUnits, to: MinorUnits): MinorUnits | undefined {
  const exact = exactlyConverted(cents, from, to);
  return exact === undefined ? undefined : Number(exact);
}

/**
 * Converts an amount likewise, but rounded down, so that the credited amount never exceeds the worth of the
 * money received.
 */
export function convertDown(cents: MinorUnits, from: MinorUnits, to: MinorUnits): MinorUnits | undefined {
  return from === 0 || to === 0 ? undefined : Number((BigInt(cents) * BigInt(from)) / BigInt(to));
}

/** Converts an amount likewise, of any size. */
export function exactlyConverted(cents: MinorUnits, from: MinorUnits, to: MinorUnits): bigint | undefined {
  return from === 0 || to === 0 ? undefined : roundHalfUp(BigInt(cents) * BigInt(from), BigInt(to));
}

/** Sums the amounts of rows. */
export function totalAmount(rows: readonly { readonly amount: MinorUnits }[]): MinorUnits {
  return rows.reduce((sum, { amount }) => sum + amount, 0);
}

/** Divides non-negative numbers, rounded half up. */
export function roundHalfUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend * 2n + divisor) / (divisor * 2n);
}

/** Returns the number closest to an integer with so many decimals. */
export function decimalOf(units: bigint, decimals: number): number {
  return Number(`${units}e-${decimals}`);
}

/** A kind of money in a desk, e.g. cash in sums or card payments in dollars. */
export interface MoneyKind {
  readonly payment_type: PaymentType;
  readonly currency: Currency;
}

/** All kinds of money. */
export const MONEY_KINDS: readonly MoneyKind[] = PaymentType.options.flatMap((payment_type) =>
  Currency.options.map((currency) => ({ payment_type, currency })),
);

/** Returns the attribute name of a kind of money. */
export function nameOf({ payment_type, currency }: MoneyKind): `${PaymentType}_${Currency}` {
  return `${payment_type}_${currency}`;
}

/** Sums by kind of money, in 1/100, without zeros: this keeps items small. */
export const KindSums = z.partialRecord(z.enum(MONEY_KINDS.map(nameOf)), z.int());

export type KindSums = Readonly<z.output<typeof KindSums>>;

/** Adds to the sum of a kind; drops a sum that becomes zero. */
export function addToKind(sums: KindSums, kind: MoneyKind, change: MinorUnits): KindSums {
  const { [nameOf(kind)]: before = 0, ...others } = sums;
  const after = before + change;
  return after === 0 ? others : { ...others, [nameOf(kind)]: after };
}

/** A payment method, and its currency if it may have one of its own. */
interface Tendered {
  readonly payment_type: string;
  readonly currency?: Currency | null | undefined;
}

/** Returns a list schema that allows each kind of money once. 422 on the path of each repeated one. */
export function requireDistinctKinds<T extends Tendered, S extends z.ZodType<T[]>>(list: S) {
  return list.superRefine((rows, context) => {
    const seen = new Set<string>();
    for (const [index, { payment_type, currency }] of rows.entries()) {
      const name = `${payment_type} ${currency}`;
      if (seen.has(name)) {
        context.addIssue({ code: 'custom', message: 'validation.duplicate', path: [index, 'payment_type'] });
      }
      seen.add(name);
    }
  });
}

/**
 * Returns the schema of a body's payments or payouts. Each kind occurs once; 422 on `payment_type` of a
 * repeated one. Contract 9.92.
 */
export function paymentList<T extends Tendered, S extends z.ZodType<T>>(payment: S) {
  return requireDistinctKinds(z.array(payment).max(10));
}

function centsOf(value: number): MinorUnits {
  return Math.round(value * 100);
}
