import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomFrom, type SeededRandom } from '#bench/support/random.ts';
import { daysAfter } from '#lib/values/time.ts';
import {
  cancelIncome,
  changeCurrency,
  moveCard,
  moveDesk,
  type PlayHistory,
  type PlayMoment,
  receive,
  receiveAndCorrect,
  sellAndCorrect,
  step,
} from './random-weeks/play.ts';
import { expectReports } from './random-weeks/reports.ts';
import { updateEveryRollup, updateSomeRollups, withoutRollups } from './random-weeks/rollups.ts';
import { newWeeks } from './random-weeks/weeks.ts';

const FIRST_DAY = '2026-03-02';
const DAYS = [0, 1, 5, 9, 13, 19];
const STEPS_A_DAY = 20;
/** As a rule there are so many between two folds of all kinds. */
const STEPS_BETWEEN_FOLDS = 4;
const MOVING_DAY = 9;
const CHANGING_DAY = 13;

test('every figure of every report is what the documents of random weeks add up to', () =>
  fc.assert(
    fc.asyncProperty(fc.integer(), async (seed) => expectWeeks(randomFrom(seed, 'weeks'))),
    { numRuns: 1, endOnFailure: true },
  ));

async function expectWeeks(chance: SeededRandom): Promise<void> {
  const weeks = await newWeeks(FIRST_DAY);
  const kept: PlayHistory = { sold: [], returned: [], moved: [], holds: [], sent: [] };
  let done = 0;
  for (const days of DAYS) {
    const day = daysAfter(FIRST_DAY, days);
    await weeks.setClock(`${day}T09:00`);
    const turn = (): PlayMoment => ({ weeks, kept, day, chance, person: chance.oneOf(weeks.people) });
    if (days === 0) {
      for (const stock of [...weeks.stockIds, ...weeks.stockIds]) await receive(turn(), stock);
      for (const stock of weeks.stockIds) await receiveAndCorrect(turn(), stock);
      await cancelIncome(turn());
      await sellAndCorrect(turn());
    }
    if (days === MOVING_DAY) await moveDesk(turn());
    if (days === CHANGING_DAY) await changeCurrency(turn());
    done += await spendDay(turn);
    await moveCard(turn());
    await expectReports(weeks, kept, day);
  }
  await updateEveryRollup(weeks);
  await expectReports(weeks, kept, daysAfter(FIRST_DAY, Math.max(...DAYS)));
  expect(await withoutRollups(weeks)).toEqual([]);
  // If most steps were refused, nothing is shown.
  expect(done).toBeGreaterThan((DAYS.length * STEPS_A_DAY) / 2);
}

/** Does the steps of a day; counts those that were done. */
async function spendDay(turn: () => PlayMoment): Promise<number> {
  let done = 0;
  for (let steps = 0; steps < STEPS_A_DAY; steps++) {
    if (await step(turn())) done += 1;
    if (turn().chance.between(1, STEPS_BETWEEN_FOLDS) === 1) await updateSomeRollups(turn());
  }
  return done;
}
