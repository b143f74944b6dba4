import { expect, test } from 'vitest';
import { type DeskMoney, NO_MONEY } from '#lib/cash/desk/money.ts';
import {
  cancelMove,
  changeOnHold,
  confirmMove,
  dayOfDesk,
  moveMoney,
  withoutOfDay,
} from '#lib/cash/desk/movement.ts';
import { type Instant, startOfDay } from '#lib/values/time.ts';

const MONDAY = startOfDay('2026-11-23');
const TUESDAY = startOfDay('2026-11-24');
const HOUR = 3_600_000;

const CASH = { payment_type: 'cash', currency: 'uzs' } as const;

const EMPTY_SHIFT = {
  creator_id: 1,
  opened_at: MONDAY,
  closes_at: null,
  overdue_action: null,
  opening_balance: {},
  tallies: {},
  debts: {},
};

/** Moves cash: income above zero, outcome below. */
function move(money: DeskMoney, change: number, at: Instant, source_type = 'sale'): DeskMoney {
  const type = change > 0 ? 'income' : 'outcome';
  const after = moveMoney(money, { ...CASH, type, amount: Math.abs(change), source_type }, at);
  if (!after) throw new Error('The desk has too little');
  return after;
}

function made(change: number, created_at: Instant, shift_id: number | null = null, status = 'completed') {
  const type = change > 0 ? ('income' as const) : ('outcome' as const);
  return { ...CASH, type, amount: Math.abs(change), source_type: 'reason', created_at, shift_id, status };
}

test('a desk’s day begins with what it has at midnight, and counts what comes and goes (Contract 9.38)', () => {
  const monday = move(move(NO_MONEY, 500, MONDAY + HOUR), -200, MONDAY + 2 * HOUR);
  expect(monday.day).toEqual({
    date: '2026-11-23',
    opening: {},
    income: { cash_uzs: 500 },
    outcome: { cash_uzs: 200 },
  });
  const quiet = { date: '2026-11-24', opening: { cash_uzs: 300 }, income: {}, outcome: {} };
  expect(dayOfDesk(monday, TUESDAY)).toEqual(quiet);
  expect(move(monday, 50, TUESDAY).day).toEqual({ ...quiet, income: { cash_uzs: 50 } });
});

test('a call from before midnight that is late counts in what the new day began with', () => {
  const tuesday = move(NO_MONEY, 100, TUESDAY);
  expect(move(tuesday, 7, TUESDAY - 1).day).toEqual({
    date: '2026-11-24',
    opening: { cash_uzs: 7 },
    income: { cash_uzs: 100 },
    outcome: {},
  });
});

test('a clock that is set back begins its day anew', () => {
  const tuesday = move(NO_MONEY, 100, TUESDAY + HOUR);
  expect(move(tuesday, 7, MONDAY).day).toEqual({
    date: '2026-11-23',
    opening: { cash_uzs: 100 },
    income: { cash_uzs: 7 },
    outcome: {},
  });
});

test('what is canceled or reversed today is not counted, and what is confirmed is (Contract 9.38)', () => {
  const before = move(move(NO_MONEY, 500, MONDAY), 300, MONDAY);
  const canceled = cancelMove(before, made(300, MONDAY), MONDAY + HOUR);
  expect(canceled).toMatchObject({ cash_uzs: 500, day: { income: { cash_uzs: 500 } } });
  expect(withoutOfDay(before, made(300, MONDAY), MONDAY).day?.income).toEqual({ cash_uzs: 500 });
  const held = changeOnHold(before, CASH, 90);
  expect(held.on_hold).toEqual({ cash_uzs: 90 });
  const confirmed = confirmMove(held, made(-90, MONDAY, null, 'on_hold'), MONDAY);
  expect(confirmed).toMatchObject({ on_hold: null, day: { outcome: { cash_uzs: 90 } } });
  const back = cancelMove(held, made(-90, MONDAY, null, 'on_hold'), MONDAY);
  expect(back).toMatchObject({ on_hold: null, cash_uzs: 890, day: { outcome: {} } });
  const nextDay = cancelMove(before, made(300, MONDAY), TUESDAY);
  expect(nextDay).toMatchObject({ cash_uzs: 500, day: { opening: { cash_uzs: 800 }, income: {} } });
  expect(confirmMove(held, made(-90, MONDAY, null, 'on_hold'), TUESDAY)?.day?.outcome).toEqual({});
});

test('a shift forgets its own posting if that is canceled; another’s is money that moves now', () => {
  const open: DeskMoney = { ...move(NO_MONEY, 500, MONDAY), shift: { ...EMPTY_SHIFT, id: 2 } };
  const earned = move(open, 300, MONDAY, 'reason');
  expect(earned.shift?.tallies).toEqual({ 'reason income cash_uzs': [1, 300] });
  expect(cancelMove(earned, made(300, MONDAY, 2), MONDAY)?.shift?.tallies).toEqual({});
  const late = cancelMove(earned, made(-100, MONDAY, 1), MONDAY);
  expect(late?.cash_uzs).toBe(900);
  expect(late?.shift?.tallies).toEqual({ 'reason income cash_uzs': [2, 400] });
});
