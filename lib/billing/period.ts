import * as z from 'zod';
import { enumeration } from '#lib/values/enumeration.ts';
import { type MinorUnits, roundHalfUp } from '#lib/values/money.ts';
import { type Day, daysBetween, monthsAfter } from '#lib/values/time.ts';

/** Length of a billing period. */
export const BillingPeriod = enumeration('tariff.billing_period', ['monthly', 'yearly']);

export type BillingPeriod = z.output<typeof BillingPeriod>;

const MONTHS: Readonly<Record<BillingPeriod, number>> = { monthly: 1, yearly: 12 };

/**
 * Start of a period, as months from the first day of the series: a series that began on the 31st returns to
 * the 31st after a shorter month.
 */
export const PeriodStart = z.object({ anchor: z.string(), months: z.int() });

type PeriodStart = z.output<typeof PeriodStart>;

/** Returns the day of a period's start. */
export function startDay({ anchor, months }: PeriodStart): Day {
  return monthsAfter(anchor, months);
}

/** Returns the start of the period this many periods later. */
export function periodsAfter(
  { anchor, months }: PeriodStart,
  period: BillingPeriod,
  count: number,
): PeriodStart {
  return { anchor, months: months + count * MONTHS[period] };
}

/** Returns the price of a period: a year costs twelve months. Contract 9.54. */
export function priceFor(period: BillingPeriod, monthly: MinorUnits): MinorUnits {
  return monthly * MONTHS[period];
}

/**
 * Prorates a price for the days from a day within a period to its end, rounded half up to minor units.
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
