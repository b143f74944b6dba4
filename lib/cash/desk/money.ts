import * as z from 'zod';
import { addToKind, KindSums, MONEY_KINDS, type MoneyKind, nameOf } from '#lib/cash/money-kind.ts';
import { areZero, type Counters, counterKey } from '#lib/records/counters.ts';
import { absent, all, any, equals } from '#lib/table/expression.ts';
import type { Home, Key } from '#lib/table/keys.ts';
import { check, update, type Write } from '#lib/table/transaction/write.ts';
import { type Cents, MOST_AMOUNT } from '#lib/values/money.ts';
import { refuse } from '#lib/values/refusal.ts';
import { dayOf, type Instant } from '#lib/values/time.ts';
import { addToDay, DeskDay, dayAt } from './day.ts';
import { addCounts, addToTally, OpenShift, type ShiftCounts, type Sourced } from './open-shift.ts';

const sum = z.int().min(0);

/** The money of a desk by kind, in 1/100, under `nameOf`, with what moves with it. */
export const DeskMoney = z.object({
  ...{ cash_uzs: sum, cash_usd: sum, cash_eur: sum, cash_rub: sum },
  ...{ card_uzs: sum, card_usd: sum, card_eur: sum, card_rub: sum },
  ...{ bank_uzs: sum, bank_usd: sum, bank_eur: sum, bank_rub: sum },
  version: z.int(),
  /** The latest day on which something moved; null if nothing has yet. */
  day: DeskDay.nullable().default(null),
  /** Null if none is open. */
  shift: OpenShift.nullable().default(null),
  /** What has left the desk for the main one, and is not confirmed there yet; null if nothing is. */
  on_hold: KindSums.nullable().default(null),
});

export type DeskMoney = Readonly<z.output<typeof DeskMoney>>;

/** The counters of a desk's money, which are kept apart from the desk. */
export const DESK_MONEY: Counters = {
  of: 'cashbox',
  names: MONEY_KINDS.map(nameOf),
  mayGo: {
    if: isIdle(MONEY_KINDS.map(nameOf)),
    otherwise: refuse('cashbox.not_empty'),
  },
};

/** Gives the counters of a desk that belongs to a company. */
export function deskMoneyOf({ company_id }: { readonly company_id: number }): Counters {
  return { ...DESK_MONEY, beside: { version: 1, company_id } };
}

/** Gives the key of a desk's money. */
export function deskMoneyKey(home: Home, cashboxId: number): Key {
  return counterKey(DESK_MONEY, home, cashboxId);
}

/** Money of a desk that has none. */
export const NO_MONEY: DeskMoney = DeskMoney.parse({
  ...Object.fromEntries(MONEY_KINDS.map((kind) => [nameOf(kind), 0])),
  version: 0,
});

/** What a desk has of one kind of money. */
export function moneyIn(money: DeskMoney, kind: MoneyKind): Cents {
  return money[nameOf(kind)];
}

/** What a desk has, without what it has nothing of. */
export function sumsIn(money: DeskMoney): KindSums {
  const sums = MONEY_KINDS.map((kind) => [nameOf(kind), moneyIn(money, kind)] as const);
  return KindSums.parse(Object.fromEntries(sums.filter(([, sum]) => sum !== 0)));
}

/**
 * Computes the money after a change; undefined if a desk would have less than nothing, or too much.
 * Decisions, 5. Decisions, 8.
 */
export function changedBy(money: DeskMoney, kind: MoneyKind, change: Cents): DeskMoney | undefined {
  const after = moneyIn(money, kind) + change;
  return after < 0 || after > MOST_AMOUNT ? undefined : { ...money, [nameOf(kind)]: after };
}

/** Changes what is on its way from a desk to the main one. */
export function changeHold(money: DeskMoney, kind: MoneyKind, change: Cents): DeskMoney {
  const on_hold = addToKind(money.on_hold ?? {}, kind, change);
  return { ...money, on_hold: Object.keys(on_hold).length > 0 ? on_hold : null };
}

/** Gives what moved at a desk on the day of a moment, and what it began with. Decisions, 9 (38). */
export function dayOfDesk(money: DeskMoney, at: Instant): DeskDay {
  return dayAt(money.day, sumsIn(money), at);
}

/**
 * Computes the money after a movement, with the sums of its day and of the open shift; undefined if a desk
 * would have less than nothing, or too much. The day counts only what `isOfDay`.
 */
export function movedBy(
  money: DeskMoney,
  moved: Sourced,
  at: Instant,
  isOfDay = true,
): DeskMoney | undefined {
  const after = changedBy(money, moved, moved.type === 'income' ? moved.amount : -moved.amount);
  if (!after) return undefined;
  const day = dayOfDesk(money, at);
  const { shift } = money;
  return {
    ...after,
    day: isOfDay ? addToDay(day, moved, at) : day,
    shift: shift && addToTally(shift, moved, 1),
  };
}

/** A movement that was made at a moment, in a shift or in none. */
export type Made = Sourced & {
  readonly created_at: Instant;
  readonly shift_id?: number | null | undefined;
  readonly status: string;
};

/**
 * Computes the money after a transfer of it is canceled; undefined if the desk has too little, or too much.
 * The open shift forgets it if it is its own. To any other shift it is money that moves now, the other way: a
 * closed shift never changes. Decisions, 8.
 */
export function canceledBy(money: DeskMoney, made: Made, at: Instant): DeskMoney | undefined {
  const back = made.type === 'income' ? -made.amount : made.amount;
  const isOnHold = made.status === 'on_hold';
  const after = changedBy(isOnHold ? changeHold(money, made, -made.amount) : money, made, back);
  if (!after) return undefined;
  const { shift } = money;
  const isOwn = made.shift_id === shift?.id;
  const opposite = { ...made, type: made.type === 'income' ? 'outcome' : 'income' } as const;
  return {
    ...after,
    day: isOnHold ? dayOfDesk(money, at) : recount(money, made, at, -1),
    shift: shift && (isOwn ? addToTally(shift, made, -1) : addToTally(shift, opposite, 1)),
  };
}

/**
 * Computes the money after a transfer on hold is confirmed. None moves, but it is not on its way any more,
 * and the day counts it if it was made today. Decisions, 9 (38).
 */
export function confirmedBy(money: DeskMoney, made: Made, at: Instant): DeskMoney {
  return { ...changeHold(money, made, -made.amount), day: recount(money, made, at, 1) };
}

/** Takes a transfer of today out of its desk's day: canceled or reversed, it is not counted any more. */
export function withoutOfDay(money: DeskMoney, made: Made, at: Instant): DeskMoney {
  return { ...money, day: recount(money, made, at, -1) };
}

function recount(money: DeskMoney, made: Made, at: Instant, times: 1 | -1): DeskDay {
  const day = dayOfDesk(money, at);
  const isOfDay = dayOf(made.created_at) === day.date;
  return isOfDay ? { ...day, [made.type]: addToKind(day[made.type], made, times * made.amount) } : day;
}

/** Counts cheques, returns and changes of debts in the desk's open shift, if there is one. */
export function addToShift(money: DeskMoney, counted: ShiftCounts): DeskMoney {
  return money.shift ? { ...money, shift: addCounts(money.shift, counted) } : money;
}

/**
 * Builds the write that changes a desk's money from what was read; `Contention` if it has changed since.
 *
 * The version decides, not the sums. Money that comes in and goes out again leaves the sums as they were, but
 * it matters to whoever summed up the desk's transfers meanwhile. Whatever belongs to a desk's day writes
 * this item, even if it brings no money (a sale on debt). So the records of a day beside the sums can neither
 * miss nor double it. The company is asked for too: of two items that are read at once, the desk may be older
 * than its money.
 */
export function deskMoneyWrite(
  home: Home,
  { id, company_id }: { readonly id: number; readonly company_id: number },
  before: DeskMoney,
  after: DeskMoney,
): Write {
  const { version } = before;
  const unchanged = all([
    equals('version', version),
    equals('is_deleted', false),
    equals('company_id', company_id),
  ]);
  return update(deskMoneyKey(home, id), { set: { ...after, version: version + 1 } }, { if: unchanged });
}

/**
 * Builds the write of a desk's move to another company, after which whoever read the desk before reads it
 * again. 400 with money in it.
 */
export function deskMoveWrite(
  home: Home,
  { id, company_id }: { readonly id: number; readonly company_id: number },
): Write {
  const guard = { if: isIdle(DESK_MONEY.names), otherwise: refuse('cashbox.moves_with_money') };
  return update(deskMoneyKey(home, id), { set: { company_id }, add: { version: 1 } }, guard);
}

/** Builds the check that a desk may become another kind of desk. 400 while a shift is open at it. */
export function deskKindCheck(home: Home, id: number): Write {
  return check(deskMoneyKey(home, id), { if: noShift(), otherwise: refuse('cashbox.shift_open') });
}

/** Holds if a desk has no money, none of it is on its way, and no shift is open. */
function isIdle(names: readonly string[]) {
  return all([areZero(names), noShift(), isNull('on_hold')]);
}

function noShift() {
  return isNull('shift');
}

function isNull(name: string) {
  return any([absent(name), equals(name, null)]);
}
