import * as z from 'zod';
import { addToKind, type Direction, KindSums, type MinorUnits, type MoneyKind } from '#lib/values/money.ts';
import { dayOf, type Instant, startOfDay } from '#lib/values/time.ts';

/** What moved at a desk on one day of `TIME_ZONE`: completed postings that were made on it. Part 3, "Cash
 * operations"; Contract 9.38.
 */
export const DeskDay = z.object({
  date: z.iso.date(),
  /** The desk's money at the beginning of the day. */
  opening: KindSums,
  income: KindSums,
  outcome: KindSums,
});

export type DeskDay = Readonly<z.output<typeof DeskDay>>;

/** A movement of money. */
export interface MoneyMove extends MoneyKind {
  readonly type: Direction;
  readonly amount: MinorUnits;
}

/** A call may still write so long after its time. */
const LATE_MS = 15 * 60_000;

/**
 * Gives the day of a moment: the one that was kept, or a new one, which begins with the money that the desk
 * has. A call from before midnight that is late doesn't bring yesterday back.
 */
export function dayAt(kept: DeskDay | null, money: KindSums, at: Instant): DeskDay {
  const date = dayOf(at);
  if (kept && (kept.date === date || isBefore(kept, at))) return kept;
  return { date, opening: money, income: {}, outcome: {} };
}

/** Adds a movement of a moment to a day; one from before midnight is a part of what the day began with. */
export function addToDay(day: DeskDay, { type, amount, ...kind }: MoneyMove, at: Instant): DeskDay {
  if (!isBefore(day, at)) return { ...day, [type]: addToKind(day[type], kind, amount) };
  return { ...day, opening: addToKind(day.opening, kind, type === 'income' ? amount : -amount) };
}

/** Tells whether a moment is just before a day. Long before it, the clock has been set back. */
function isBefore({ date }: DeskDay, at: Instant): boolean {
  const start = startOfDay(date);
  return at < start && at >= start - LATE_MS;
}
