import * as z from 'zod';
import { decimalOf, type MinorUnits, roundHalfUp } from './money.ts';

/** A quantity as stored: an integer of 1/100 000 000. */
export type Units = number;

/** The units in one piece, kilogram or metre. */
export const ONE: Units = 100_000_000;

/** The largest quantity of a line. Numbers stay exact up to six times that, the largest balance. */
const MAX_QUANTITY = 10_000_000;

/**
 * A quantity stored as an integer of 1/100 000 000 and shown with up to eight decimals. Contract 1,
 * "Amounts".
 */
export const Quantity = z
  .codec(z.int(), z.number(), { decode: (units) => units / ONE, encode: unitsOf })
  .meta({ description: 'up to 8 decimals' });

/** A sum of many quantities: it may exceed the safe integers. */
export const LargeQuantity = z
  .codec(z.bigint(), z.number(), {
    decode: (units) => decimalOf(units, 8),
    encode: (value) => BigInt(unitsOf(value)),
  })
  .meta({ description: 'up to 8 decimals' });

/**
 * Returns the schema of a quantity in a body: above zero, with up to `decimals` decimals, converted to
 * integers of 1/100 000 000.
 */
export function quantity(decimals: number, least = 1 / 10 ** decimals, max = MAX_QUANTITY) {
  return z
    .number()
    .min(least)
    .max(max)
    .refine((value) => isExact(value, decimals), {
      error: 'validation.too_many_decimals',
      params: { max: decimals },
    })
    .transform(unitsOf);
}

/** Multiplies price and quantity, rounded half up to 1/100. Contract 1, "Line amount". */
export function amountOf(price: MinorUnits, units: Units): MinorUnits {
  return Number(exactAmountOf(price, units));
}

/** Multiplies them likewise, to a product of any size. */
export function exactAmountOf(price: MinorUnits, units: Units | bigint): bigint {
  return roundHalfUp(BigInt(price) * BigInt(units), BigInt(ONE));
}

/** Sums the quantities of rows. */
export function totalQuantity(rows: readonly { readonly quantity: Units }[]): Units {
  return rows.reduce((sum, { quantity }) => sum + quantity, 0);
}

function isExact(value: number, decimals: number): boolean {
  const step = 10 ** decimals;
  return Math.round(value * step) / step === value;
}

function unitsOf(value: number): Units {
  return Math.round(value * ONE);
}
