import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addFormer, type Former, valuesSince } from '#lib/values/former.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const KEPT_MS = 32 * DAY_MS;

interface Change {
  readonly at: number;
  readonly value: readonly number[];
}

/** Changes over some sixty days, some at one moment; values come back again and again. */
const changesOfValue = fc
  .array(
    fc.record({
      pause: fc.integer({ min: 0, max: 3 * DAY_MS }),
      value: fc.tuple(fc.integer({ max: 5, min: 0 })),
    }),
    {
      maxLength: 40,
    },
  )
  .map((steps) => {
    let at = 0;
    return steps.map(({ pause, value }): Change => {
      at += pause;
      return { at, value };
    });
  });

/** Gives the present value, and what an item keeps of the others. */
function keep(changes: readonly Change[]) {
  let [present, former]: [readonly number[], Former<readonly number[]>] = [[0], []];
  for (const { at, value } of changes) {
    former = addFormer(former, present, value, at);
    present = value;
  }
  return { present, former };
}

/** Tells the values of a window from all changes there ever were: each was in force until the next. */
function modelOf(changes: readonly Change[], from: number): Set<string> {
  const all = [{ at: 0, value: [0] }, ...changes];
  const within = all.filter((_, index) => (all[index + 1]?.at ?? Number.POSITIVE_INFINITY) >= from);
  return new Set(within.map(({ value }) => JSON.stringify(value)));
}

test('what was in force at any moment of the last 32 days is known, and nothing else', () => {
  fc.assert(
    fc.property(changesOfValue, fc.integer({ min: 0, max: KEPT_MS }), (changes, back) => {
      const real = changes.filter(({ value }, index) => value[0] !== (changes[index - 1]?.value ?? [0])[0]);
      const from = (changes.at(-1)?.at ?? 0) - back;
      const { present, former } = keep(changes);
      const known = valuesSince(present, former, from).map((value) => JSON.stringify(value));
      expect(known[0]).toBe(JSON.stringify(present));
      expect(new Set(known)).toEqual(modelOf(real, from));
      expect(known).toHaveLength(new Set(known).size);
    }),
  );
});

test('before the first change that is kept, the value was what that changed, and without one it is today’s', () => {
  const old = keep([
    { at: DAY_MS, value: [1] },
    { at: 40 * DAY_MS, value: [2] },
  ]);
  expect(valuesSince(old.present, old.former, -90 * DAY_MS)).toEqual([[2], [1]]);
  expect(valuesSince([7], [], -90 * DAY_MS)).toEqual([[7]]);
});

test('of more than 200 different values, those that ceased longest ago are forgotten', () => {
  const { present, former } = keep(
    Array.from({ length: 300 }, (_, index) => ({ at: index, value: [index + 1] })),
  );
  expect(present).toEqual([300]);
  expect(former.map(([[value]]) => value)).toEqual(Array.from({ length: 200 }, (_, index) => 299 - index));
});
