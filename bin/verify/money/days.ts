import type { DeskMoney } from '#lib/cash/desk/money.ts';
import type { StoredPosting } from '#lib/cash/posting/record.ts';
import { Direction, MONEY_KINDS, nameOf } from '#lib/values/money.ts';
import { type Day, dayOf } from '#lib/values/time.ts';
import { addTo } from '../frame/books.ts';

/** The latest day on which a desk has postings, and what those that count come to. */
export interface LatestDay {
  date: Day;
  readonly sums: Map<string, number>;
}

/** Begins the day of a desk. */
export function newLatestDay(): LatestDay {
  return { date: '', sums: new Map() };
}

/**
 * Notes a posting in the latest day of its desk: a completed one that is no reversal and was not reversed.
 * Decisions, 9 (38).
 */
export function noteInDay(day: LatestDay, posting: StoredPosting): void {
  const date = dayOf(posting.created_at);
  if (date < day.date) return;
  if (date > day.date) day.sums.clear();
  day.date = date;
  const { status, is_returned = false, reversal_of_id = null, type, amount } = posting;
  if (status !== 'completed' || is_returned || reversal_of_id !== null) return;
  addTo(day.sums, `${type} ${nameOf(posting)}`, amount);
}

/** Finds where a desk's day differs from its postings; a clock that was set back is no fault. */
export function dayFaults({ day }: DeskMoney, { date, sums }: LatestDay): string[] {
  if (!day || day.date !== date) return [];
  return Direction.options.flatMap((type) =>
    MONEY_KINDS.flatMap((kind) => {
      const name = `${type} ${nameOf(kind)}`;
      const [says, came] = [day[type][nameOf(kind)] ?? 0, sums.get(name) ?? 0];
      return says === came ? [] : [`says ${says} of ${name} on ${date}, its postings ${came}`];
    }),
  );
}
