import * as z from 'zod';
import { type MinorUnits, roundHalfUp } from '#lib/values/money.ts';
import { type Day, dayOf, type Instant, monthsAfter } from '#lib/values/time.ts';

/*
 * A client's bonuses in a currency. Earned bonuses are stored under the day from which they can be spent, and
 * no job moves them: readers compute the state of today, and writers move those that are due. Each future day
 * thus has at most one entry, and the sums of a day do not depend on the number of earlier writes.
 */

/** Spendable bonuses, and pending ones by day. */
export const Bonuses = z.object({ spendable: z.int(), waiting: z.record(z.string(), z.int()) });

export type Bonuses = Readonly<z.output<typeof Bonuses>>;

/** Earned amount, and the day from which it can be spent. */
export interface Earning {
  readonly amount: MinorUnits;
  readonly day: Day;
}

/** Terms by which a sale earns bonuses. */
export interface BonusTerms {
  /** In hundredths. */
  readonly percent: number;
  /** Months until earned bonuses can be spent. */
  readonly months: number;
}

/** A document's changes of a client's bonuses. */
export interface BonusChanges {
  readonly spent: MinorUnits;
  readonly earned?: Earning | undefined;
  /** Bonuses that a return takes back, with the due day of its sale's bonuses. */
  readonly takenBack?: readonly Earning[] | undefined;
}

export const NO_BONUSES: Bonuses = { spendable: 0, waiting: {} };

/** Computes the bonuses earned by a payment; undefined if zero. Contract 9.30. */
export function earningOf(
  paid: MinorUnits,
  { percent, months }: BonusTerms,
  at: Instant,
): Earning | undefined {
  const amount = Number(roundHalfUp(BigInt(paid) * BigInt(percent), 10_000n));
  return amount === 0 ? undefined : { amount, day: monthsAfter(dayOf(at), months) };
}

/** Computes the bonuses on a day: those due by then are spendable. */
export function bonusesOn({ spendable, waiting }: Bonuses, today: Day): Bonuses {
  const entries = Object.entries(waiting);
  const due = entries.filter(([day]) => day <= today);
  if (due.length === 0) return { spendable, waiting };
  return {
    spendable: spendable + sumOf(due),
    waiting: Object.fromEntries(entries.filter(([day]) => day > today)),
  };
}

/** Sums the pending bonuses. */
export function waitingSum({ waiting }: Bonuses): MinorUnits {
  return sumOf(Object.entries(waiting));
}

/** Computes the bonuses after a change on a day. The caller has checked that they suffice. */
export function bonusesAfter(
  bonuses: Bonuses,
  { spent, earned, takenBack = [] }: BonusChanges,
  today: Day,
): Bonuses {
  const left = takenBack.reduce(takeBack, bonusesOn(bonuses, today));
  const remaining = { ...left, spendable: left.spendable - spent };
  if (!earned) return remaining;
  const { amount, day } = earned;
  const waiting = { ...remaining.waiting, [day]: (remaining.waiting[day] ?? 0) + amount };
  return bonusesOn({ ...remaining, waiting }, today);
}

/** Takes pending bonuses of the sale's own day first, then the latest pending ones, then spendable ones. */
function takeBack({ spendable, waiting }: Bonuses, taken: Earning): Bonuses {
  const days = Object.keys(waiting).sort((a, b) => rank(b, taken.day).localeCompare(rank(a, taken.day)));
  let left = taken.amount;
  const after: Record<Day, MinorUnits> = {};
  for (const day of days) {
    const pending = waiting[day] ?? 0;
    const part = Math.min(pending, left);
    left -= part;
    if (pending > part) after[day] = pending - part;
  }
  return { spendable: spendable - left, waiting: after };
}

function rank(day: Day, own: Day): string {
  return `${day === own ? 1 : 0} ${day}`;
}

function sumOf(entries: readonly (readonly [Day, MinorUnits])[]): MinorUnits {
  return entries.reduce((sum, [, amount]) => sum + amount, 0);
}
