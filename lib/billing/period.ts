import * as z from 'zod';
import { type MinorUnits, roundHalfUp } from '#lib/values/money.ts';
import { type Day, daysBetween, monthsAfter } from '#lib/values/time.ts';

/** How long one charge lasts. */
export const BillingPeriod = z.enum(['monthly', 'yearly']);

export type BillingPeriod = z.output<typeof BillingPeriod>;

const MONTHS: Readonly<Record<BillingPeriod, number>> = { monthly: 1, yearly: 12 };

/**
 * A place in a row of periods, as months from the first day of the row: so a row that began on the 31st comes
 * back to the 31st after a shorter month.
 */
export const PeriodStart = z.object({ anchor: z.string(), months: z.int() });

type PeriodStart = z.output<typeof PeriodStart>;

/** Gives the day of a place in a row of periods. */
export function startDay({ anchor, months }: PeriodStart): Day {
  return monthsAfter(anchor, months);
}

/** Finds the place so many periods later. */
export function periodsAfter(
  { anchor, months }: PeriodStart,
  period: BillingPeriod,
  count: number,
): PeriodStart {
  return { anchor, months: months + count * MONTHS[period] };
}

/** Gives a period's price: a year costs twelve months. Contract 9.54. */
export function priceFor(period: BillingPeriod, monthly: MinorUnits): MinorUnits {
  return monthly * MONTHS[period];
}

/**
 * Gives the part of a price for the days from one within a period to its end, rounded half up to 1/100.
 * Contract 6.
 */
export function prorate(
  day: Day,
  { from, to }: { readonly from: Day; readonly to: Day },
  price: MinorUnits,
): MinorUnits {
  const [left, whole] = [daysBetween(day, to), daysBetween(from, to)];
  return Number(roundHalfUp(BigInt(price) * BigInt(left), BigInt(whole)));
}
