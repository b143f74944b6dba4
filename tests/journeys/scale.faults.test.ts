import { Console } from 'node:console';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { unitsByPartition } from '#bench/kit/units.ts';
import { Refusal } from '#lib/values/refusal.ts';
import { asCall } from '#tests/kit/as-call.ts';
import { newDay } from './random-day/day.ts';
import { anyStep, callOf } from './random-day/steps.ts';

/** A day has so many steps, and goes on until there was one of every kind. */
const STEPS = 500;
const AT_MOST = 4000;

/** A key that all desks share names its family and nothing else. */
const SHARED = /^[a-z-]+#(?:[a-z-]+#)?family-n$/;

/** Operations of which there are more with every desk that a family opens. */
const OF_DESKS = ['sale', 'soldHold', 'hold', 'holdAdd', 'holdUpdate', 'holdCancel', 'goodsBack', 'exchange'];

/** Does what a random day lets one person do, and sums the units of each kind of step by kind of key. */
async function unitsOfADay(): Promise<Map<string, Map<string, number>[]>> {
  const day = await newDay(1);
  const [actor] = day.actors;
  const done = new Map<string, Map<string, number>[]>();
  const isWhole = () => OF_DESKS.every((kind) => done.has(kind));
  for (const [index, step] of fc.sample(anyStep, { seed: 20261121, numRuns: AT_MOST }).entries()) {
    if (index >= STEPS && isWhole()) break;
    try {
      const call = actor && (await callOf(day, actor, step));
      if (!call) continue;
      // As a call of the API, which draws its ids of a moment together.
      const units = await unitsByPartition(() => asCall(() => call(() => [])));
      done.set(step.kind, [...(done.get(step.kind) ?? []), byKind(units)]);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  }
  return done;
}

function byKind(units: ReadonlyMap<string, number>): Map<string, number> {
  const sums = new Map<string, number>();
  for (const [key, count] of units) {
    const kind = key.replaceAll(/\d+/g, 'n');
    sums.set(kind, (sums.get(kind) ?? 0) + count);
  }
  return sums;
}

/** Finds the most that one call wrote to each kind of key that all desks of a family share. */
function hottest(calls: readonly Map<string, number>[]): Map<string, number> {
  const most = new Map<string, number>();
  for (const [kind, units] of calls.flatMap((call) => [...call])) {
    if (SHARED.test(kind)) most.set(kind, Math.max(units, most.get(kind) ?? 0));
  }
  return most;
}

/** An exchange writes two cheques, and the one on debt that its goods come from. */
const mostOf = (kind: string) => (kind === 'exchange' ? 6 : 5);

test('what a desk does writes at most five units to a key that all desks share, an exchange six', async () => {
  const done = await unitsOfADay();
  const hot = OF_DESKS.flatMap((kind) =>
    [...hottest(done.get(kind) ?? [])].map(([key, units]) => ({ kind, key, units })),
  );
  if (process.env['TELL']) new Console(process.stdout).table(hot);
  expect(new Set(hot.map(({ kind }) => kind)).size).toBe(OF_DESKS.length);
  expect(hot.filter(({ kind, units }) => units > mostOf(kind))).toEqual([]);
});
