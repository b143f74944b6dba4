import * as z from 'zod';
import { type MinorUnits, roundHalfUp } from '#lib/values/money.ts';
import { type Day, dayOf, type Instant, monthsAfter } from '#lib/values/time.ts';

/*
 * A client's bonuses of a currency. What is earned waits under the day from which it may be spent, and no job
 * moves it: whoever reads counts by today, and whoever writes moves what is due. So there is at most one
 * entry for each day to come, and every day gives the same sums, however often someone wrote before it.
 */

/** Bonuses to spend, and those that wait, by day. */
export const Bonuses = z.object({ spendable: z.int(), waiting: z.record(z.string(), z.int()) });

export type Bonuses = Readonly<z.output<typeof Bonuses>>;

/** An amount that is earned, and the day from which it may be spent. */
export interface Earning {
  readonly amount: MinorUnits;
  readonly day: Day;
}

/** By which terms a sale earns. */
export interface BonusTerms {
  /** In 1/100. */
  readonly percent: number;
  /** How long what is earned waits. */
  readonly months: number;
}

/** What a document changes of the bonuses of a client. */
export interface BonusChanges {
  readonly spent: MinorUnits;
  readonly earned?: Earning | undefined;
  /** What a return takes back, each with the day that its cheque's bonuses wait for. */
  readonly takenBack?: readonly Earning[] | undefined;
}

export const NO_BONUSES: Bonuses = { spendable: 0, waiting: {} };

/** Computes what money that is paid earns; undefined for nothing. Contract 9.30. */
export function earningOf(
  paid: MinorUnits,
  { percent, months }: BonusTerms,
  at: Instant,
): Earning | undefined {
  const amount = Number(roundHalfUp(BigInt(paid) * BigInt(percent), 10_000n));
  return amount === 0 ? undefined : { amount, day: monthsAfter(dayOf(at), months) };
}

/** Gives bonuses as they are on a day: what is due by then may be spent. */
export function bonusesOn({ spendable, waiting }: Bonuses, today: Day): Bonuses {
  const entries = Object.entries(waiting);
  const due = entries.filter(([day]) => day <= today);
  if (due.length === 0) return { spendable, waiting };
  return {
    spendable: spendable + sumOf(due),
    waiting: Object.fromEntries(entries.filter(([day]) => day > today)),
  };
}

/** Sums up what waits. */
export function waitingSum({ waiting }: Bonuses): MinorUnits {
  return sumOf(Object.entries(waiting));
}

/** Gives bonuses after a change on a day. Whether they are enough to spend must have been asked before. */
export function bonusesAfter(
  bonuses: Bonuses,
  { spent, earned, takenBack = [] }: BonusChanges,
  today: Day,
): Bonuses {
  const left = takenBack.reduce(takeBack, bonusesOn(bonuses, today));
  const kept = { ...left, spendable: left.spendable - spent };
  if (!earned) return kept;
  const { amount, day } = earned;
  const waiting = { ...kept.waiting, [day]: (kept.waiting[day] ?? 0) + amount };
  return bonusesOn({ ...kept, waiting }, today);
}

/** Takes what waits for the cheque's own day first, then the latest of what waits, then what may be spent. */
function takeBack({ spendable, waiting }: Bonuses, taken: Earning): Bonuses {
  const days = Object.keys(waiting).sort((a, b) => rank(b, taken.day).localeCompare(rank(a, taken.day)));
  let left = taken.amount;
  const after: Record<Day, MinorUnits> = {};
  for (const day of days) {
    const held = waiting[day] ?? 0;
    const part = Math.min(held, left);
    left -= part;
    if (held > part) after[day] = held - part;
  }
  return { spendable: spendable - left, waiting: after };
}

function rank(day: Day, own: Day): string {
  return `${day === own ? 1 : 0} ${day}`;
}

function sumOf(entries: readonly (readonly [Day, MinorUnits])[]): MinorUnits {
  return entries.reduce((sum, [, amount]) => sum + amount, 0);
}
