import { expect, test } from 'vitest';
import { batchFaults, chainFaults } from '#bin/verify/goods/stock-level-faults.ts';
import { makerOf } from '#lib/auth/actor.ts';

/** Creates a movement of `quantity`, which leaves `after`, of these batches. */
function move(line_id: number, quantity: number, after: number, batches: Record<number, number>) {
  return {
    document_type: quantity < 0 ? 'sale' : 'purchase',
    document_id: 1,
    line_id,
    quantity,
    quantity_before: after - quantity,
    quantity_after: after,
    batches: Object.entries(batches).map(([id, part]) => ({ id: Number(id), quantity: part })),
    ...makerOf({ id: 1 }),
    created_at: 0,
  } as const;
}

function held(quantity: number, batches: readonly (readonly [number, number])[]) {
  const rest = { cost: 0, currency: 'uzs', at: 0 } as const;
  return { quantity, batches: batches.map(([id, left]) => ({ id, left, ...rest })) };
}

function faultsOf(balance: ReturnType<typeof held>, moves: readonly ReturnType<typeof move>[]) {
  return [...chainFaults(balance, moves), ...batchFaults(balance, moves)];
}

const came = move(7, 10, 10, { 7: 10 });
const sold = move(1, -4, 6, { 7: 4 });

test('the balance is what came less what was sold, and is what its batch has left', () => {
  expect(faultsOf(held(6, [[7, 6]]), [came, sold])).toEqual([]);
  expect(faultsOf(held(0, []), [])).toEqual([]);
  expect(faultsOf(held(0, []), [came, move(1, -10, 0, { 7: 10 })])).toEqual([]);
});

test('merged batches have together what they had apart', () => {
  const other = move(8, 5, 11, { 8: 5 });
  const merged = move(8, 0, 11, { 7: -6, 8: -5, [-7]: 11 });
  expect(faultsOf(held(11, [[-7, 11]]), [came, sold, other, merged])).toEqual([]);
});

test.each([
  [
    'a balance that its movements don’t come to',
    held(7, [[7, 7]]),
    [came, sold],
    'its movements come to 6, it says 7',
  ],
  [
    'a batch that has more than is left of it',
    held(6, [[7, 7]]),
    [came, sold],
    'batch 7 has 7, what came less what was taken is 6',
  ],
  [
    'batches that don’t make up the balance',
    held(6, [[7, 5]]),
    [came, sold],
    'its batches have 5, it says 6',
  ],
  [
    'a batch that stands twice',
    held(6, [
      [7, 6],
      [7, 6],
    ]),
    [came, sold],
    'batch 7 stands twice in it, or never came',
  ],
  ['a batch that is gone too early', held(6, []), [came, sold], 'batch 7 is gone, and should have 6'],
  [
    'a movement that is lost',
    held(2, [[7, 2]]),
    [came, move(2, -4, 2, { 7: 4 })],
    'its chain breaks at sale 1, line 2: 10 is followed by 6',
  ],
  [
    'a movement whose parts are not all of it',
    held(6, [[7, 7]]),
    [came, move(1, -4, 6, { 7: 3 })],
    'sale 1, line 1 moved -4, and of batches 3',
  ],
  [
    'a batch of which more was taken than came',
    held(0, []),
    [came, move(1, -10, 0, { 8: 10 })],
    'sale 1, line 1 took more of batch 8 than it had',
  ],
])('%s is found', (_, balance, moves, fault) => {
  expect(faultsOf(balance, moves)).toContain(fault);
});
