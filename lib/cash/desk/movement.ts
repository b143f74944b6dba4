import {
  addToKind,
  MAX_AMOUNT,
  type MinorUnits,
  type MoneyKind,
  nameOf,
  oppositeOf,
} from '#lib/values/money.ts';
import { dayOf, type Instant } from '#lib/values/time.ts';
import { addToDay, type DeskDay, dayAt } from './day.ts';
import { type DeskMoney, moneyIn, sumsIn } from './money.ts';
import { addCounts, addToTally, type ShiftCounts, type SourcedMovement } from './open-shift.ts';

/**
 * Computes the money after a change; undefined if it would be negative or exceed the limit. Contract 5.
 * Contract 8.
 */
export function changeMoney(money: DeskMoney, kind: MoneyKind, change: MinorUnits): DeskMoney | undefined {
  const after = moneyIn(money, kind) + change;
  return after < 0 || after > MAX_AMOUNT ? undefined : { ...money, [nameOf(kind)]: after };
}

/**
 * Checks that all sums stored with a desk's money are within the limit: money on hold, movements of the day
 * and of the open shift, and its debts given and repaid. Contract 9.117.
 */
export function areSumsBounded({
  on_hold,
  day,
  shift,
}: Pick<DeskMoney, 'on_hold' | 'day' | 'shift'>): boolean {
  const sums = [on_hold, day?.opening, day?.income, day?.outcome, ...Object.values(shift?.debts ?? {})];
  const tallied = Object.values(shift?.tallies ?? {}).map(([, amount]) => amount);
  return [...sums.flatMap((each) => Object.values(each ?? {})), ...tallied].every(
    (sum) => Math.abs(sum) <= MAX_AMOUNT,
  );
}

function ifBounded(money: DeskMoney): DeskMoney | undefined {
  return areSumsBounded(money) ? money : undefined;
}

/** Changes a desk's money on hold. */
export function changeOnHold(money: DeskMoney, kind: MoneyKind, change: MinorUnits): DeskMoney {
  const on_hold = addToKind(money.on_hold ?? {}, kind, change);
  return { ...money, on_hold: Object.keys(on_hold).length > 0 ? on_hold : null };
}

/** Returns the day of a desk at a time: movements and opening balance. Contract 9.38. */
export function dayOfDesk(money: DeskMoney, at: Instant): DeskDay {
  return dayAt(money.day, sumsIn(money), at);
}

/**
 * Computes the money after a movement, with the sums of the day and the open shift; undefined if the money
 * would be negative, or any of these would exceed the limit. The day counts only `isOfDay` movements.
 */
export function moveMoney(
  money: DeskMoney,
  moved: SourcedMovement,
  at: Instant,
  isOfDay = true,
): DeskMoney | undefined {
  const after = changeMoney(money, moved, moved.type === 'income' ? moved.amount : -moved.amount);
  if (!after) return undefined;
  const day = dayOfDesk(money, at);
  const { shift } = money;
  return ifBounded({
    ...after,
    day: isOfDay ? addToDay(day, moved, at) : day,
    shift: shift && addToTally(shift, moved, 1),
  });
}

/** Past movement, made in a shift or outside any. */
export type PastMove = SourcedMovement & {
  readonly created_at: Instant;
  readonly shift_id?: number | null | undefined;
  readonly status: string;
};

/**
 * Computes the money after one of its postings is canceled; undefined if it would be negative or exceed the
 * limit. If the posting is of the open shift, the shift no longer counts it. To any other shift it is a new
 * movement in the opposite direction, because a closed shift never changes. Contract 8.
 */
export function cancelMove(money: DeskMoney, made: PastMove, at: Instant): DeskMoney | undefined {
  const back = made.type === 'income' ? -made.amount : made.amount;
  const isOnHold = made.status === 'on_hold';
  const after = changeMoney(isOnHold ? changeOnHold(money, made, -made.amount) : money, made, back);
  if (!after) return undefined;
  const { shift } = money;
  const isOwn = made.shift_id === shift?.id;
  const opposite = { ...made, type: oppositeOf(made) };
  return ifBounded({
    ...after,
    day: isOnHold ? dayOfDesk(money, at) : recount(money, made, at, -1),
    shift: shift && (isOwn ? addToTally(shift, made, -1) : addToTally(shift, opposite, 1)),
  });
}

/**
 * Computes the money after a posting on hold is confirmed. The balance stays, but the posting is no longer on
 * hold, and the day counts it if made today; undefined if that would exceed the limit. Contract 9.38.
 */
export function confirmMove(money: DeskMoney, made: PastMove, at: Instant): DeskMoney | undefined {
  return ifBounded({ ...changeOnHold(money, made, -made.amount), day: recount(money, made, at, 1) });
}

/** Removes one of today's postings from the desk's day, after cancellation or reversal. */
export function withoutOfDay(money: DeskMoney, made: PastMove, at: Instant): DeskMoney {
  return { ...money, day: recount(money, made, at, -1) };
}

function recount(money: DeskMoney, made: PastMove, at: Instant, times: 1 | -1): DeskDay {
  const day = dayOfDesk(money, at);
  const isOfDay = dayOf(made.created_at) === day.date;
  return isOfDay ? { ...day, [made.type]: addToKind(day[made.type], made, times * made.amount) } : day;
}

/** Counts sales, returns and changes of debts in the desk's open shift, if any. */
export function addToShift(money: DeskMoney, counted: ShiftCounts): DeskMoney {
  return money.shift ? { ...money, shift: addCounts(money.shift, counted) } : money;
}
