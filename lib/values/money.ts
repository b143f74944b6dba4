import * as z from 'zod';

/** An amount as the table holds it: an integer of 1/100 of the currency's unit. */
export type MinorUnits = number;

/** The currencies of prices and of kept money. */
export const Currency = z.enum(['uzs', 'usd', 'eur', 'rub']);

export type Currency = z.output<typeof Currency>;

/** What each currency is worth: 1/100 of a sum per unit; 0 if nobody knows. */
export type Rates = Readonly<Record<Currency, MinorUnits>>;

/** Makes a value for each currency. */
export function byCurrency<T>(make: (currency: Currency, index: number) => T): Record<Currency, T> {
  return { uzs: make('uzs', 0), usd: make('usd', 1), eur: make('eur', 2), rub: make('rub', 3) };
}

/** A client's ways of paying at a desk with money. */
export const PaymentType = z.enum(['cash', 'card', 'bank']);

export type PaymentType = z.output<typeof PaymentType>;

/** Whether money comes or goes. */
export const Direction = z.enum(['income', 'outcome']);

export type Direction = z.output<typeof Direction>;

/** Gives the way by which a movement is taken back. */
export function oppositeOf({ type }: { readonly type: Direction }): Direction {
  return type === 'income' ? 'outcome' : 'income';
}

/** The largest amount in a body. Part 2, "Limits". */
export const MAX_AMOUNT: MinorUnits = 99_999_999_999_999;

/**
 * An amount that is held as an integer of 1/100 and shown with up to two decimals. Contract 1, "Amounts".
 */
export const Money = z
  .codec(z.int(), z.number(), { decode: (cents) => cents / 100, encode: centsOf })
  .meta({ description: 'up to 2 decimals' });

/** A sum of many amounts, or by a large rate: it may pass the integers that a number tells apart. */
export const LargeAmount = z
  .codec(z.bigint(), z.number(), {
    decode: (cents) => decimalOf(cents, 2),
    encode: (value) => BigInt(centsOf(value)),
  })
  .meta({ description: 'up to 2 decimals' });

/** An amount of each currency. */
export const Sums = z.record(Currency, Money);

/**
 * Makes an amount in a body, `least`..999999999999.99 with up to two decimals, taken as integers of 1/100.
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

/**
 * Converts an amount of another currency by the rates of both, rounded half up. A rate is 1/100 of a sum per
 * unit. Undefined if either is 0: nobody knows what a currency without a rate is worth.
 */
export function convertAmount(cents: MinorUnits, from: MinorUnits, to: MinorUnits): MinorUnits | undefined {
  const exact = exactlyConverted(cents, from, to);
  return exact === undefined ? undefined : Number(exact);
}

/** Converts an amount in the same way, but rounded down: what is taken for money is never worth less. */
export function convertDown(cents: MinorUnits, from: MinorUnits, to: MinorUnits): MinorUnits | undefined {
  return from === 0 || to === 0 ? undefined : Number((BigInt(cents) * BigInt(from)) / BigInt(to));
}

/** Converts an amount in the same way, however large it becomes. */
export function exactlyConverted(cents: MinorUnits, from: MinorUnits, to: MinorUnits): bigint | undefined {
  return from === 0 || to === 0 ? undefined : roundHalfUp(BigInt(cents) * BigInt(from), BigInt(to));
}

/** Adds up the amounts of rows. */
export function totalAmount(rows: readonly { readonly amount: MinorUnits }[]): MinorUnits {
  return rows.reduce((sum, { amount }) => sum + amount, 0);
}

/** Divides numbers that are not below zero, rounded half up. */
export function roundHalfUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend * 2n + divisor) / (divisor * 2n);
}

/** Gives the nearest number to an integer of so many decimals. */
export function decimalOf(units: bigint, decimals: number): number {
  return Number(`${units}e-${decimals}`);
}

/** A kind of money in a desk: cash in sums, dollars on cards. */
export interface MoneyKind {
  readonly payment_type: PaymentType;
  readonly currency: Currency;
}

/** All kinds of money. */
export const MONEY_KINDS: readonly MoneyKind[] = PaymentType.options.flatMap((payment_type) =>
  Currency.options.map((currency) => ({ payment_type, currency })),
);

/** Names the attribute of a kind of money. */
export function nameOf({ payment_type, currency }: MoneyKind): `${PaymentType}_${Currency}` {
  return `${payment_type}_${currency}`;
}

/** Sums by kind of money, in 1/100, without those that are zero: an item with them stays small. */
export const KindSums = z.partialRecord(z.enum(MONEY_KINDS.map(nameOf)), z.int());

export type KindSums = Readonly<z.output<typeof KindSums>>;

/** Adds to the sum of a kind; one that comes to zero goes. */
export function addToKind(sums: KindSums, kind: MoneyKind, change: MinorUnits): KindSums {
  const { [nameOf(kind)]: before = 0, ...others } = sums;
  const after = before + change;
  return after === 0 ? others : { ...others, [nameOf(kind)]: after };
}

/** A way of paying, and its currency if it may have one of its own. */
interface Tendered {
  readonly payment_type: string;
  readonly currency?: Currency | null | undefined;
}

/** Requires that a list has each kind of money once. 422 on the path of each that comes again. */
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
 * Makes the list of a body's payments, or payouts. Each kind comes once; 422 on `payment_type` of the one
 * that comes again. Contract 9.92.
 */
export function paymentList<T extends Tendered, S extends z.ZodType<T>>(payment: S) {
  return requireDistinctKinds(z.array(payment).max(10));
}

function centsOf(value: number): MinorUnits {
  return Math.round(value * 100);
}
