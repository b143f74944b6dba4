import * as z from 'zod';
import { tariffKey } from '#lib/auth/workplace.ts';
import { parseRecord, type Stored } from '#lib/records/stored.ts';
import { put, putNew, type Write } from '#lib/table/change/write.ts';
import { equals } from '#lib/table/expression.ts';
import { getItem } from '#lib/table/read/get.ts';
import { orNull } from '#lib/values/fields.ts';
import { amount, Money } from '#lib/values/money.ts';
import { type Day, DayField, daysAfter, type Instant, startOfDay } from '#lib/values/time.ts';
import { BillingPeriod, PeriodStart, periodsAfter, priceFor, startDay } from './period.ts';

/** Monthly prices. */
export const Prices = z.object({ main: Money, branch: Money });

/** A charged period. */
const ChargedPeriod = z.object({
  from: z.string(),
  /** First day after it. */
  to: z.string(),
  /** Its end as the start of the next period. */
  end: PeriodStart,
  /** Branches charged for it. */
  branch_ids: z.array(z.int()),
  /** True if a branch was added later, for a part of it. */
  is_prorated: z.boolean(),
});

/** Tariff of a company family, as stored. Contract 6. */
export const StoredTariff = z.object({
  /** Id of the main company. */
  id: z.int(),
  prices: Prices,
  billing_period: BillingPeriod,
  pending_billing_period: BillingPeriod.nullable(),
  trial_ends_at: z.string().nullable(),
  grace_days: z.int(),
  balance: Money,
  /** First day of the current negative balance. */
  debt_since: z.string().nullable(),
  /** Day of the first charge, unless a trial delays it. */
  starts_on: z.string(),
  /** Latest charged period; null before the first charge. */
  period: ChargedPeriod.nullable(),
  /** Time at which the family is blocked unless it pays; checked on each request. */
  block_at: z.number().nullable(),
  /** Number of the latest entry. */
  last_entry: z.int(),
  /** Version of the terms: balance and period change without it. */
  terms_version: z.int(),
  /** Latest payment. */
  external_id: z.string().nullable(),
  created_at: z.number(),
  updated_at: z.number(),
});

export type StoredTariff = z.input<typeof StoredTariff>;

/** Largest price: twelve months of it for thousands of branches are still a safe integer. */
const MAX_PRICE = 999_999_999.99;

/** Input to set a company's tariff. Contract 9.54. */
export const TariffInput = z.object({
  prices: z.object({ main: amount(0, MAX_PRICE), branch: amount(0, MAX_PRICE) }),
  billing_period: BillingPeriod,
  trial_ends_at: orNull(DayField),
  grace_days: z.int().min(0).max(365),
});

/** Reads a family's tariff; undefined if it has none. One round trip. */
export async function findTariff(familyId: number): Promise<Stored<typeof StoredTariff> | undefined> {
  const item = await getItem(tariffKey(familyId));
  return item && parseRecord(StoredTariff, item);
}

/** Builds the write of a family's first tariff. */
export function tariffInsertion(tariff: StoredTariff): Write {
  return putNew(tariffKey(tariff.id), { ...withBlock(tariff), version: 1 });
}

/** Builds the write that replaces a tariff; `Contention` if it has changed since it was read. */
export function tariffReplacement(before: Stored<typeof StoredTariff>, after: StoredTariff): Write {
  const { id, version } = before;
  const item = { ...withBlock(after), version: version + 1 };
  return put(tariffKey(id), item, { if: equals('version', version) });
}

/** Returns the start of the next period: after the latest one, and not before the trial's end. */
export function nextStart({
  period,
  trial_ends_at,
  starts_on,
}: Pick<StoredTariff, 'period' | 'trial_ends_at' | 'starts_on'>): z.output<typeof PeriodStart> {
  const isDelayed = trial_ends_at !== null && (period === null || trial_ends_at > period.to);
  if (isDelayed) return { anchor: trial_ends_at, months: 0 };
  return period?.end ?? { anchor: starts_on, months: 0 };
}

/** Returns the length of the next period. */
export function nextLength({
  pending_billing_period,
  billing_period,
}: Pick<StoredTariff, 'pending_billing_period' | 'billing_period'>): BillingPeriod {
  return pending_billing_period ?? billing_period;
}

/** Returns the time at which a debt blocks: the start of the first day after the grace days. */
export function blockAfter(debtSince: Day, graceDays: number): Instant {
  return startOfDay(daysAfter(debtSince, graceDays));
}

/** A hundred years, treated as never. */
const MAX_MONTHS = 1200;

/**
 * Computes the time at which a family is blocked unless it pays. Future debt counts too, so that no charge
 * needs to be made in time for it: the first period that the balance does not cover. Branches are left out,
 * as they may be deleted by then, so the blocked family owes at least that much.
 */
function withBlock(tariff: StoredTariff): StoredTariff {
  const { balance, debt_since, grace_days, prices } = tariff;
  if (debt_since !== null) return { ...tariff, block_at: blockAfter(debt_since, grace_days) };
  const length = nextLength(tariff);
  const price = priceFor(length, prices.main);
  const covered = price === 0 ? Number.POSITIVE_INFINITY : Math.floor(balance / price);
  const first = nextStart(tariff);
  const unpaid = periodsAfter(first, length, covered);
  const isFar = unpaid.months - first.months > MAX_MONTHS;
  return { ...tariff, block_at: isFar ? null : blockAfter(startDay(unpaid), grace_days) };
}
