import * as z from 'zod';
import { addToKind, type Direction, KindSums, type MinorUnits, type MoneyKind } from '#lib/values/money.ts';
import { dayOf, type Instant, startOfDay } from '#lib/values/time.ts';

/**
 * Movements at a desk on one day of `TIME_ZONE`: completed postings created on it. Part 3, "Cash operations";
 * Contract 9.38.
 */
export const DeskDay = z.object({
  date: z.iso.date(),
  /** The desk's money at the start of the day. */
  opening: KindSums,
  income: KindSums,
  outcome: KindSums,
});

export type DeskDay = Readonly<z.output<typeof DeskDay>>;

/** Movement of money. */
export interface MoneyMove extends MoneyKind {
  readonly type: Direction;
  readonly amount: MinorUnits;
}

/** Maximum delay between a call's time and its write. */
const MAX_DELAY_MS = 15 * 60_000;

/**
 * Returns the day of a time: the stored one, or a new one that opens with the desk's money. A delayed call
 * from before midnight does not reopen the previous day.
 */
export function dayAt(stored: DeskDay | null, money: KindSums, at: Instant): DeskDay {
  const date = dayOf(at);
  if (stored && (stored.date === date || isBefore(stored, at))) return stored;
  return { date, opening: money, income: {}, outcome: {} };
}

/** Adds a movement to a day; one from just before midnight changes the opening balance. */
export function addToDay(day: DeskDay, { type, amount, ...kind }: MoneyMove, at: Instant): DeskDay {
  if (!isBefore(day, at)) return { ...day, [type]: addToKind(day[type], kind, amount) };
  return { ...day, opening: addToKind(day.opening, kind, type === 'income' ? amount : -amount) };
}

/** Checks whether the clock was set back from a day: a movement at this time opens an earlier one. */
export function reopensDay(date: DeskDay['date'], at: Instant): boolean {
  return at < startOfDay(date) - MAX_DELAY_MS;
}

/** Checks whether a time is just before a day. A time long before it means that the clock was set back. */
function isBefore({ date }: DeskDay, at: Instant): boolean {
  return at < startOfDay(date) && !reopensDay(date, at);
}
