import { Console } from 'node:console';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { unitsByPartition } from '#bench/support/units.ts';
import { ApiError } from '#lib/values/api-error.ts';
import { asCall } from '#tests/support/as-call.ts';
import { newDay } from './random-day/day.ts';
import { anyStep, callOf } from './random-day/steps.ts';

/** A day has so many steps, and goes on until there was one of every kind. */
const STEPS = 500;
const AT_MOST = 4000;

/** A key that all desks share names its family and nothing else; drafts are those of its company. */
const SHARED = /^(?:[a-z-]+#(?:[a-z-]+#)?family-n|cheque#family-n#n)$/;

/** Operations of which there are more with every desk that a family opens. */
const OF_DESKS = [
  ...['sale', 'draft', 'draftEnd', 'soldHold', 'hold', 'holdAdd', 'holdUpdate', 'holdCancel'],
  ...['goodsBack', 'exchange'],
];

/** What one call wrote, by kind of key, and how much it may write to each. */
interface Written {
  readonly units: ReadonlyMap<string, number>;
  readonly max: (key: string) => number;
}

/** Does what a random day lets one person do, and sums the units of each kind of step by kind of key. */
async function unitsOfADay(): Promise<Map<string, Written[]>> {
  const day = await newDay(1);
  const [actor] = day.actors;
  const done = new Map<string, Written[]>();
  const isWhole = () => OF_DESKS.every((kind) => done.has(kind));
  for (const [index, step] of fc.sample(anyStep, { seed: 20261121, numRuns: AT_MOST }).entries()) {
    if (index >= STEPS && isWhole()) break;
    try {
      const call = actor && (await callOf(day, actor, step));
      if (!call) continue;
      let answer: unknown;
      // As a call of the API, which draws its ids of a moment together.
      const units = await unitsByPartition(async () => {
        answer = await asCall(async () => call(() => []));
      });
      done.set(step.kind, [...(done.get(step.kind) ?? []), { units: byKind(units), max: mostOf(answer) }]);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
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

/** A sale with what was paid, and what was given back of that. */
const Sold = z.object({
  sale: z.object({ transactions: z.array(z.unknown()), change_amount: z.int() }),
});

/** The exchanged cheque, and where on debt its goods come from. */
const Exchanged = z.object({ original_sale: z.object({ origins: z.array(z.unknown()) }) });

/** Two more that the VAT of up to twenty lines may cost a sale (Part 5, 5.0 (6)). */
const VAT_UNITS = 2;

/**
 * Computes the most for each kind of key: five units, or of postings two for each payment of a sale and its
 * change, and of cheques and debts two for each cheque of an exchange: its own two and those on debt that the
 * goods come from. VAT may bring one of the sales, with three payments and foreign cash, over a kilobyte.
 */
function mostOf(answer: unknown): Written['max'] {
  const sale = Sold.safeParse(answer).data?.sale;
  const payments = sale ? sale.transactions.length + Math.sign(sale.change_amount) : 0;
  const cheques = 2 + (Exchanged.safeParse(answer).data?.original_sale.origins.length ?? 0);
  const ofMany = new Map([
    ['posting#family-n', 2 * payments],
    ['sale#family-n', 2 * cheques + VAT_UNITS],
    ['debt#family-n', 2 * cheques],
  ]);
  return (key) => Math.max(5, ofMany.get(key) ?? 0);
}

/** Finds the most that one call wrote to each kind of key that all desks of a family share. */
function hottest(calls: readonly Written[]): Map<string, number> {
  const max = new Map<string, number>();
  for (const [kind, units] of calls.flatMap(({ units }) => [...units])) {
    if (SHARED.test(kind)) max.set(kind, Math.max(units, max.get(kind) ?? 0));
  }
  return max;
}

test('what a desk does writes at most five units to a key that all desks share, or two for each payment or cheque, and two for VAT (Part 5, 5.0 (6))', async () => {
  const done = await unitsOfADay();
  const calls = OF_DESKS.flatMap((kind) => (done.get(kind) ?? []).map((each) => ({ kind, ...each })));
  const hot = OF_DESKS.flatMap((kind) =>
    [...hottest(done.get(kind) ?? [])].map(([key, units]) => ({ kind, key, units })),
  );
  if (process.env['TELL']) new Console(process.stdout).table(hot);
  expect(new Set(hot.map(({ kind }) => kind)).size).toBe(OF_DESKS.length);
  const over = calls.filter(({ units, max }) =>
    [...units].some(([key, count]) => SHARED.test(key) && count > max(key)),
  );
  expect(over).toEqual([]);
});
