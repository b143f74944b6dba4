import { expect, test } from 'vitest';
import { draftGoodsReceipt } from '#bench/chaos/goods.ts';
import { changing, type TaskStep } from '#bench/chaos/operation.ts';
import { disagreements } from '#bench/chaos/outcomes.ts';
import type { StepOutcome } from '#bench/chaos/perform.ts';
import { sale, smallCart } from '#bench/chaos/sell.ts';
import { randomFrom } from '#bench/support/random.ts';
import { chaosScene as scene } from './scene.ts';

const task = { scene, name: 'client-1-1', chance: randomFrom(1, 'test') };
const sold = sale(task, smallCart(task));

function outcomeOf(operation: TaskStep, outcome: StepOutcome['outcome'], ids: number[] = []): StepOutcome {
  return { operation, outcome, ids, statuses: [outcome === 'done' ? 200 : 400], hasKey: false };
}

function wrong(all: readonly StepOutcome[], done: Record<string, number[]>): string[] {
  return disagreements(all, new Map(Object.entries(done))).map(({ what }) => what);
}

const SALE = 'client-1-1, POST /company/trade/sale';

test.each([
  ['what was acknowledged is done once', outcomeOf(sold, 'done', [5]), { 'client-1-1': [5] }, []],
  [
    'what was acknowledged is not done',
    outcomeOf(sold, 'done', [5]),
    {},
    [`${SALE}: answered 200, and not done`],
  ],
  [
    'what was acknowledged is done twice',
    outcomeOf(sold, 'done', [5]),
    { 'client-1-1': [5, 6] },
    [`${SALE}: done 2 times, as 5, 6`],
  ],
  [
    'what was acknowledged is done as another',
    outcomeOf(sold, 'done', [5, 6]),
    { 'client-1-1': [5] },
    [`${SALE}: answered 5,6, and done as 5`],
  ],
  ['what was refused is not done', outcomeOf(sold, 'refused'), {}, []],
  [
    'what was refused is done',
    outcomeOf(sold, 'refused'),
    { 'client-1-1': [5] },
    [`${SALE}: answered 400, and done as 5`],
  ],
  ['what nobody knows of is done', outcomeOf(sold, 'unknown'), { 'client-1-1': [5] }, []],
  ['what nobody knows of is not done', outcomeOf(sold, 'unknown'), {}, []],
  [
    'what nobody knows of is done twice',
    outcomeOf(sold, 'unknown'),
    { 'client-1-1': [5, 6] },
    [`${SALE}: done 2 times, as 5, 6`],
  ],
  [
    'a refused completion whose receipt is completed',
    outcomeOf(changing('receipt', { scene, name: 'client-1-2' }, 9), 'refused'),
    { 'receipt of 7 9': [9] },
    ['client-1-2, PATCH /company/trade/purchase/9/complete: answered 400, and done as 9'],
  ],
])('%s', (_, each, done, expected) => {
  expect(wrong([each], Object.fromEntries(Object.entries(done)))).toEqual(expected);
});

test('the same seed and name give the same work, another seed other work', () => {
  const work = (seed: number) => {
    const chance = randomFrom(seed, 'client-1');
    return Array.from({ length: 20 }, () => draftGoodsReceipt({ scene, name: 'name', chance }).json);
  };
  expect(work(1)).toEqual(work(1));
  expect(work(1)).not.toEqual(work(2));
});
