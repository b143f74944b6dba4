import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import type { Instant } from './time.ts';

/*
 * What a value was before, for who asks what it was at any moment of the last days: a price, a rate.
 *
 * Such a window always ends now. So a former value was in force within it exactly if it ceased in it, and of
 * each value only the last moment at which it was in force counts: however often a price goes up and down
 * again, it has one entry.
 */

/** Former values, each with the moment at which it last ceased, the latest first. */
export type Former<T> = readonly (readonly [value: T, until: Instant])[];

/** A sale without a network comes up to 31 days later, and looks back a day more. Part 4, 4.4. */
const KEPT_MS = 32 * 24 * 60 * 60 * 1000;

/** Different values that are kept: five kilobytes of prices, so that no item outgrows the table's limit. */
const MOST_VALUES = 200;

/** Makes the schema of former values. */
export function formerOf<S extends z.ZodType>(value: S) {
  return z.array(z.tuple([value, z.int()]));
}

/**
 * Adds a value that has ceased at a moment, for another. What ceased more than 32 days before is forgotten,
 * and of more than 200 different values those that ceased longest ago.
 */
export function addFormer<T>(former: Former<T>, was: T, is: T, at: Instant): Former<T> {
  if (isDeepStrictEqual(was, is)) return former;
  const others = former.filter(
    ([value, until]) =>
      until >= at - KEPT_MS && !isDeepStrictEqual(value, was) && !isDeepStrictEqual(value, is),
  );
  return [[was, at] as const, ...others].slice(0, MOST_VALUES);
}

/** Lists the values that were in force at any moment since one, the present one first. */
export function valuesSince<T>(present: T, former: Former<T>, from: Instant): T[] {
  return [present, ...former.flatMap(([value, until]) => (until >= from ? [value] : []))];
}
