import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { atMost, withEarnings, withoutMoney } from '#lib/clients/bonus-share.ts';
import {
  type Bonuses,
  bonusesAfter,
  bonusesOn,
  type Earning,
  earningOf,
  NO_BONUSES,
  waitingSum,
} from '#lib/clients/bonuses.ts';
import { totalAmount } from '#lib/values/money.ts';
import { type Day, endOfDay, monthsAfter, startOfDay } from '#lib/values/time.ts';

const noon = (day: Day) => startOfDay(day) + 43_200_000;

const sumOf = (bonuses: Bonuses) => bonuses.spendable + waitingSum(bonuses);

test.each([
  ['2026-01-31', 1, '2026-02-28'],
  ['2028-01-31', 1, '2028-02-29'],
  ['2026-11-21', 3, '2027-02-21'],
  ['2026-12-31', 0, '2026-12-31'],
  ['2026-08-31', 120, '2036-08-31'],
])('of %s the same day %i months later is %s (Contract 9.30)', (day, months, expected) => {
  expect(monthsAfter(day, months)).toBe(expected);
});

test('what is earned is the percent, rounded half up to 1/100, by the day in TIME_ZONE (Contract 9.30)', () => {
  const terms = { percent: 250, months: 1 };
  expect(earningOf(1020, terms, noon('2026-11-21'))).toEqual({ amount: 26, day: '2026-12-21' });
  expect(earningOf(1, { percent: 1, months: 0 }, noon('2026-11-21'))).toBeUndefined();
  expect(earningOf(100_00, terms, endOfDay('2026-11-21') - 1)).toMatchObject({ day: '2026-12-21' });
  expect(earningOf(100_00, terms, endOfDay('2026-11-21'))).toMatchObject({ day: '2026-12-22' });
});

test('what waits may be spent from its day on, and at once if nothing is to be waited for', () => {
  const earned = { amount: 500, day: '2026-12-21' };
  const held = bonusesAfter(NO_BONUSES, { spent: 0, earned }, '2026-11-21');
  expect(bonusesOn(held, '2026-12-20')).toEqual({ spendable: 0, waiting: { '2026-12-21': 500 } });
  expect(bonusesOn(held, '2026-12-21')).toEqual({ spendable: 500, waiting: {} });
  const now = bonusesAfter(NO_BONUSES, { spent: 0, earned }, earned.day);
  expect(now).toEqual({ spendable: 500, waiting: {} });
});

test('a return takes of what waits first: of its own day, then the latest, then what may be spent (Contract 9.30)', () => {
  const held = { spendable: 100, waiting: { '2026-12-01': 10, '2026-12-02': 20, '2026-12-03': 30 } };
  const back = (amount: number) =>
    bonusesAfter(held, { spent: 0, takenBack: [{ amount, day: '2026-12-01' }] }, '2026-11-21');
  expect(back(5).waiting).toEqual({ '2026-12-01': 5, '2026-12-02': 20, '2026-12-03': 30 });
  expect(back(25).waiting).toEqual({ '2026-12-02': 20, '2026-12-03': 15 });
  expect(back(90)).toEqual({ spendable: 70, waiting: {} });
});

test('returns of a sale together take back all it earned, and never more than there is (Contract 9.30)', () => {
  const earned = { amount: 100, day: '2026-12-01' };
  let shares = withEarnings([], [earned]);
  const back = [333, 666, 999, 1000].map((gone) => {
    const after = withoutMoney(shares, { came: 1000, gone });
    shares = after.shares;
    return totalAmount(after.going);
  });
  expect(back).toEqual([33, 34, 33, 0]);
  expect(totalAmount(atMost(12, [earned]))).toBe(12);
});

test('whatever happens on whatever day, what was earned waits, may be spent, is spent or taken back', () => {
  const step = fc.record({
    days: fc.integer({ min: 0, max: 40 }),
    paid: fc.integer({ min: 0, max: 100_000 }),
    months: fc.integer({ min: 0, max: 3 }),
    spend: fc.integer({ min: 0, max: 100 }),
    back: fc.integer({ min: 0, max: 100 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      let held: Bonuses = NO_BONUSES;
      let at = noon('2026-01-31');
      const sums = { earned: 0, spent: 0, takenBack: 0 };
      const cheques: Earning[] = [];
      for (const { days, paid, months, spend, back } of steps) {
        at += days * 86_400_000;
        const today = new Date(at).toISOString().slice(0, 10);
        const now = bonusesOn(held, today);
        expect(sumOf(now)).toBe(sumOf(held));
        const sale = cheques[back % (cheques.length + 1)];
        const shares = withEarnings([], sale ? [sale] : []);
        const takenBack = atMost(sumOf(now), withoutMoney(shares, { came: 100, gone: back }).going);
        const free = bonusesAfter(held, { spent: 0, takenBack }, today).spendable;
        const spent = Math.floor((free * spend) / 100);
        const earned = earningOf(paid, { percent: 500, months }, at);
        held = bonusesAfter(held, { spent, earned, takenBack }, today);
        if (earned) cheques.push(earned);
        sums.earned += earned?.amount ?? 0;
        sums.spent += spent;
        sums.takenBack += totalAmount(takenBack);
        expect(sumOf(held)).toBe(sums.earned - sums.spent - sums.takenBack);
        expect(held.spendable).toBeGreaterThanOrEqual(0);
        expect(Object.values(held.waiting).every((amount) => amount > 0)).toBe(true);
        expect(Object.keys(held.waiting).every((day) => day > today)).toBe(true);
      }
    }),
  );
});
