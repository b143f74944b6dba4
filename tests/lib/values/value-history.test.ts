import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { asCorrection, History, secondOf, spansIn } from '#lib/values/value-history.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const KEPT_MS = 32 * DAY_MS;

interface Thing {
  readonly left: number;
  readonly right: number;
  readonly updated_at: number;
}

interface Change extends Thing {
  readonly isCorrection: boolean;
}

const history = new History(z.tuple([z.int(), z.int()]), ({ left, right }: Thing) => [left, right]);

/** Changes over some sixty days, some at one moment; values come back again and again. */
const changesOfThing = fc
  .array(
    fc.record({
      pause: fc.integer({ min: 0, max: 3 * DAY_MS }),
      left: fc.integer({ min: 0, max: 3 }),
      right: fc.integer({ min: 0, max: 3 }),
      isCorrection: fc.boolean(),
    }),
    { maxLength: 40 },
  )
  .map((steps) => {
    let updated_at = 0;
    return steps.map(({ pause, ...step }): Change => {
      updated_at += pause;
      return { ...step, updated_at };
    });
  });

const FIRST: Thing = { left: 0, right: 0, updated_at: 0 };

/** Returns a value as stored in its item after changes. */
function keep(changes: readonly Change[]): Thing {
  let thing = FIRST;
  for (const { isCorrection, ...values } of changes) {
    const after = asCorrection({ ...thing, ...values }, isCorrection);
    thing = { ...after, ...history.keep(thing, after) };
  }
  return thing;
}

/** Lists the start and value of each period: a correction takes the place of the value it replaces. */
function modelOf(
  changes: readonly Change[],
  part: 'left' | 'right',
): (readonly [from: number, value: number])[] {
  let model: (readonly [number, number])[] = [[Number.NEGATIVE_INFINITY, 0]];
  for (const { isCorrection, updated_at, ...values } of changes) {
    const [began, was] = model.at(-1) ?? [0, 0];
    if (values[part] === was) continue;
    const from = isCorrection ? began : updated_at;
    model = [...(isCorrection ? model.slice(0, -1) : model), [from, values[part]]];
    // A correction equal to the value before it is merged with it.
    const [before, last] = [model.at(-2), model.at(-1)];
    if (before && last && before[1] === last[1]) model = model.slice(0, -1);
  }
  return model;
}

/** Returns the values in effect during a second: all that held in a part of it. */
function valuesIn(model: readonly (readonly [number, number])[], second: number): Set<number> {
  const held = model.filter(([from], index) => {
    return from < second + 1000 && (model[index + 1]?.[0] ?? Number.POSITIVE_INFINITY) >= second;
  });
  return new Set(held.map(([, value]) => value));
}

test('from when until when each value of the last 32 days held is known, and what a correction replaced never was', () => {
  fc.assert(
    fc.property(changesOfThing, fc.integer({ min: 0, max: KEPT_MS }), (changes, back) => {
      const thing = keep(changes);
      const second = secondOf(Math.max(0, thing.updated_at - back));
      const held = spansIn(history.spans(thing), second).map(({ value }) => value);
      expect(new Set(held.map(([left]) => left))).toEqual(valuesIn(modelOf(changes, 'left'), second));
      expect(new Set(held.map(([, right]) => right))).toEqual(valuesIn(modelOf(changes, 'right'), second));
    }),
  );
});

test('before the first value that is kept, it was what that says, and without one what it is now', () => {
  const change = (left: number, updated_at: number): Change => {
    return { left, right: 0, updated_at, isCorrection: false };
  };
  const old = history.spans(keep([change(1, DAY_MS), change(2, 40 * DAY_MS)]));
  expect(spansIn(old, -90 * DAY_MS).map(({ value }) => value)).toEqual([[1, 0]]);
  expect(spansIn(history.spans(FIRST), -90 * DAY_MS).map(({ value }) => value)).toEqual([[0, 0]]);
});

test('of one thing 200 former values are kept, the latest (Part 4, 4.4, 3)', () => {
  const changes = Array.from({ length: 300 }, (_, index): Change => {
    return { left: index + 1, right: 0, updated_at: index * 1000, isCorrection: false };
  });
  const spans = history.spans(keep(changes));
  expect(spans.map(({ value: [left] }) => left)).toEqual(Array.from({ length: 201 }, (_, age) => 300 - age));
  expect(spansIn(spans, 0).map(({ value: [left] }) => left)).toEqual([100]);
});
