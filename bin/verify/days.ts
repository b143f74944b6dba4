import type { DeskMoney } from '#lib/cash/desk/money.ts';
import type { StoredTransfer } from '#lib/cash/transfer/record.ts';
import { Direction, MONEY_KINDS, nameOf } from '#lib/values/money.ts';
import { type Day, dayOf } from '#lib/values/time.ts';
import { addTo } from './sums.ts';

/** The latest day on which a desk has transfers, and what those that count come to. */
export interface LatestDay {
  date: Day;
  readonly sums: Map<string, number>;
}

/** Begins the day of a desk. */
export function newLatestDay(): LatestDay {
  return { date: '', sums: new Map() };
}

/**
 * Notes a transfer in the latest day of its desk: a completed one that is no reversal and was not reversed.
 * Decisions, 9 (38).
 */
export function noteInDay(day: LatestDay, transfer: StoredTransfer): void {
  const date = dayOf(transfer.created_at);
  if (date < day.date) return;
  if (date > day.date) day.sums.clear();
  day.date = date;
  const { status, is_returned = false, reversal_of_id = null, type, amount } = transfer;
  if (status !== 'completed' || is_returned || reversal_of_id !== null) return;
  addTo(day.sums, `${type} ${nameOf(transfer)}`, amount);
}

/** Finds where a desk's day differs from its transfers; a clock that was set back is no fault. */
export function dayFaults({ day }: DeskMoney, { date, sums }: LatestDay): string[] {
  if (!day || day.date !== date) return [];
  return Direction.options.flatMap((type) =>
    MONEY_KINDS.flatMap((kind) => {
      const name = `${type} ${nameOf(kind)}`;
      const [says, came] = [day[type][nameOf(kind)] ?? 0, sums.get(name) ?? 0];
      return says === came ? [] : [`says ${says} of ${name} on ${date}, its transfers ${came}`];
    }),
  );
}
