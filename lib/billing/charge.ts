import * as z from 'zod';
import { TARIFF } from '#lib/auth/workplace.ts';
import type { Stored } from '#lib/records/stored.ts';
import { PLATFORM, partition } from '#lib/table/keys.ts';
import { walk } from '#lib/table/read/walk.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { workOnAll } from '#lib/values/concurrency.ts';
import { totalAmount } from '#lib/values/money.ts';
import { type Day, dayOf, type Instant } from '#lib/values/time.ts';
import { changeWritesOf, tariffAfter } from './entry.ts';
import { periodsAfter, priceFor, prorate, startDay } from './period.ts';
import { findTariff, nextLength, nextStart, type StoredTariff } from './record.ts';
import { branchesOn, dayAdded, openBranches, readSubscribers, type Subscribers } from './subscribers.ts';

type Tariff = Stored<typeof StoredTariff>;

/** A tariff after all due charges, and the companies it is for. */
export interface Charged {
  readonly tariff: Tariff;
  readonly subscribers: Subscribers;
}

/**
 * Charges a family for all due periods, in order: one conditional write for each, by the first caller,
 * however uncharged. Undefined if it has no tariff. One round trip, and one for each charge. Contract 9.55.
 */
export function charge(familyId: number, at: Instant): Promise<Charged | undefined> {
  return retryOnContention(() =>
    settle(familyId, at, (before, due) => transact(changeWritesOf(before, due, at))),
  );
}

/** Computes the result of `charge` without writing. Undefined without a tariff. One round trip. */
export function previewCharges(familyId: number, at: Instant): Promise<Charged | undefined> {
  return settle(familyId, at, async () => {});
}

/** Applies due charges one after the other, as each changes the next. */
async function settle(
  familyId: number,
  at: Instant,
  write: (before: Tariff, due: ReturnType<typeof newCharge>) => Promise<void>,
): Promise<Charged | undefined> {
  const [found, subscribers] = await Promise.all([findTariff(familyId), readSubscribers(familyId)]);
  if (!found) return undefined;
  let tariff = found;
  for (let due = nextCharge(tariff, subscribers, at); due; due = nextCharge(tariff, subscribers, at)) {
    await write(tariff, due);
    tariff = { ...tariffAfter(tariff, due), version: tariff.version + 1 };
  }
  return { tariff, subscribers };
}

/**
 * Returns the earliest due charge: branches added within the current period come before the next period. A
 * deleted company is not charged.
 */
function nextCharge(tariff: Tariff, subscribers: Subscribers, at: Instant) {
  if (subscribers.main.is_deleted) return undefined;
  return branchesToCharge(tariff, subscribers, at) ?? nextPeriod(tariff, subscribers, dayOf(at));
}

/** Charges branches added within the current period for the rest of it, earliest day first. */
function branchesToCharge({ period, prices, billing_period }: Tariff, subscribers: Subscribers, at: Instant) {
  if (!period) return undefined;
  const uncharged = openBranches(subscribers).flatMap((branch) => {
    const day = period.branch_ids.includes(branch.id) ? undefined : dayAdded(branch, period, at);
    return day === undefined ? [] : [{ id: branch.id, day }];
  });
  const [day] = uncharged.map((each) => each.day).toSorted();
  if (day === undefined) return undefined;
  const price = prorate(day, period, priceFor(billing_period, prices.branch));
  const ids = uncharged.filter((each) => each.day === day).map(({ id }) => id);
  const lines = ids.map((company_id) => ({ company_id, amount: price }));
  const branch_ids = [...period.branch_ids, ...ids];
  return newCharge(day, lines, { period: { ...period, branch_ids, is_prorated: true } });
}

/** Charges the next period, if it has begun. A pending change of the billing period takes effect now. */
function nextPeriod(tariff: Tariff, subscribers: Subscribers, today: Day) {
  const start = nextStart(tariff);
  const from = startDay(start);
  if (from > today) return undefined;
  const billing_period = nextLength(tariff);
  const end = periodsAfter(start, billing_period, 1);
  const branch_ids = branchesOn(from, subscribers).map(({ id }) => id);
  const { main, branch } = tariff.prices;
  const lines = [
    { company_id: tariff.id, amount: priceFor(billing_period, main) },
    ...branch_ids.map((company_id) => ({ company_id, amount: priceFor(billing_period, branch) })),
  ];
  const period = { from, to: startDay(end), end, branch_ids, is_prorated: false };
  return newCharge(from, lines, { billing_period, pending_billing_period: null, period });
}

function newCharge(
  day: Day,
  lines: readonly { readonly company_id: number; readonly amount: number }[],
  tariff: Partial<StoredTariff> & { readonly period: NonNullable<StoredTariff['period']> },
) {
  const { from, to } = tariff.period;
  const entry = { lines: [...lines], period: { from: day > from ? day : from, to } };
  return { type: 'charge', amount: -totalAmount(lines), day, entry, tariff } as const;
}

/** Tariffs per step, and how many of them are charged concurrently. */
const STEP = 100;
const SIDE_BY_SIDE = 20;

const Named = z.object({ id: z.int() });

/**
 * Charges every family; returns the number of families. A failure does not block other families: errors are
 * thrown at the end. It is idempotent.
 */
export function chargeAll(at: Instant): Promise<number> {
  return workOnAll(walk(partition(TARIFF, PLATFORM), STEP), SIDE_BY_SIDE, (item) =>
    charge(Named.parse(item).id, at),
  );
}
