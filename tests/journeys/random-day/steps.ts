import * as fc from 'fast-check';
import type { Staff } from '#lib/auth/actor.ts';
import { splitEvery } from '#lib/values/concurrency.ts';
import { ACCOUNT_STEPS } from './accounts.ts';
import { CASH_STEPS } from './cash.ts';
import type { Day } from './day.ts';
import { DESK_STEPS } from './desk.ts';
import { GOODS_STEPS } from './goods.ts';
import { OFFICE_STEPS } from './office.ts';
import { SHIFT_STEPS } from './shift.ts';
import type { How } from './step.ts';

const STEPS = {
  ...GOODS_STEPS,
  ...DESK_STEPS,
  ...CASH_STEPS,
  ...ACCOUNT_STEPS,
  ...OFFICE_STEPS,
  ...SHIFT_STEPS,
};

export type Kind = keyof typeof STEPS;

/** What one person does at a moment of the day, as far as the day lets them. */
export interface Step extends How {
  readonly kind: Kind;
  /** The calls to the table after which the process is killed; null if it lives. */
  readonly kill: number | null;
}

/** Makes the call of a step; undefined if there is nothing to do it with. */
export function callOf(day: Day, actor: Staff, step: Step) {
  return STEPS[step.kind](day, actor, step);
}

/** All kinds of steps. */
export const KINDS = Object.keys(STEPS).filter((name): name is Kind => name in STEPS);

// What a day is full of, and what others wait for.
const often: readonly Kind[] = [
  ...(['receipt', 'receiptComplete', 'sale', 'sale', 'sale', 'hold', 'goodsBack', 'exchange'] as const),
  ...(['shiftOpen', 'shiftOpen', 'shiftOpen', 'shiftOpen'] as const),
  ...(['depositIncome', 'depositIncome', 'depositSale', 'depositSale', 'depositBack'] as const),
  ...(['writeOff', 'writeOffComplete', 'countAdd', 'countAdd', 'countComplete', 'countComplete'] as const),
];

// Other money goes back in the evening, when some has come.
const byDay = KINDS.filter((kind) => kind !== 'otherMoneyBack');

/** Any step of the day; every third process is killed. */
export const anyStep: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(...often, ...byDay),
  pick: fc.nat({ max: 1000 }),
  pieces: fc.integer({ min: 1, max: 12 }),
  kill: fc.option(fc.nat({ max: 12 }), { freq: 2 }),
});

const EVENING: readonly Kind[] = [
  ...(['shiftOpen', 'shiftOpen', 'shiftOpen', 'sale', 'sale', 'sale', 'otherMoneyBack'] as const),
  ...(['sale', 'otherMoneyBack', 'otherMoneyBack', 'otherMoneyBack'] as const),
];

/** Makes the ways of people through a day: any steps, then sales, for which some money goes back. */
export function newWays(seed: number, people: number, stepsEach: number): Step[][] {
  const length = stepsEach + EVENING.length;
  const steps = fc.sample(anyStep, { seed, numRuns: people * length });
  return splitEvery(steps, length).map((way) =>
    way.map((step, index) => ({ ...step, kind: EVENING[index - stepsEach] ?? step.kind })),
  );
}
