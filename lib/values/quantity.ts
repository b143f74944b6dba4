import * as z from 'zod';
import { decimalOf, type MinorUnits, roundHalfUp } from './money.ts';

/** A quantity as the table holds it: an integer of 1/100 000 000. */
export type Units = number;

/** The units in one piece, kilogram or metre. */
export const ONE: Units = 100_000_000;

/**
 * The largest quantity of a line. As a number it stays exact up to six times that, which is the largest
 * balance.
 */
const MOST = 10_000_000;

/**
 * A quantity that is held as an integer of 1/100 000 000 and shown with up to eight decimals. Contract 1,
 * "Amounts".
 */
export const Quantity = z
  .codec(z.int(), z.number(), { decode: (units) => units / ONE, encode: unitsOf })
  .meta({ description: 'up to 8 decimals' });

/** A sum of many quantities: it may pass the integers that a number tells apart. */
export const LargeQuantity = z
  .codec(z.bigint(), z.number(), {
    decode: (units) => decimalOf(units, 8),
    encode: (value) => BigInt(unitsOf(value)),
  })
  .meta({ description: 'up to 8 decimals' });

/**
 * Makes a quantity in a body: above zero, with up to `decimals` decimals, taken as integers of 1/100 000 000.
 */
export function quantity(decimals: number, least = 1 / 10 ** decimals, max = MOST) {
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

/** Multiplies them in the same way, however much it comes to. */
export function exactAmountOf(price: MinorUnits, units: Units | bigint): bigint {
  return roundHalfUp(BigInt(price) * BigInt(units), BigInt(ONE));
}

/** Adds up the quantities of rows. */
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
