import { randomInt } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  addition,
  type Counters,
  canChangeCounters,
  counterKey,
  counterWrites,
} from '#lib/records/links/counters.ts';
import { familyTenant } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import { Contention, transact } from '#lib/table/transaction/transact.ts';
import { MAX_AMOUNT } from '#lib/values/money.ts';

const SUMS: Counters = { of: 'test', names: ['a', 'b'] };

const sum = fc.oneof(
  fc.integer({ min: -MAX_AMOUNT, max: MAX_AMOUNT }),
  fc.integer({ min: MAX_AMOUNT - 2, max: MAX_AMOUNT }),
);
const change = fc.oneof(fc.integer({ min: -MAX_AMOUNT, max: MAX_AMOUNT }), fc.integer({ min: -3, max: 3 }));

const isAmount = (value: number) => Math.abs(value) <= MAX_AMOUNT;

test('sums take exactly what keeps each of them within an amount, on either side', () => {
  fc.assert(
    fc.property(sum, sum, change, change, (a, b, toA, toB) => {
      const taken = canChangeCounters({ a: toA, b: toB });
      expect(taken.matches({ a, b, is_deleted: false })).toBe(isAmount(a + toA) && isAmount(b + toB));
      expect(taken.matches({ a, b, is_deleted: true })).toBe(false);
    }),
  );
});

test('whatever is added at once, no sum passes its bound, and each is the sum of what was let through', async () => {
  const tenant = familyTenant(randomInt(2 ** 40));
  await transact(counterWrites(SUMS, tenant, undefined, { id: 1, is_deleted: false }));
  const changes = [0.6, 0.3, 0.3, -0.9, 0.5, 0.4, -0.2, 0.7].map((part) => Math.round(part * MAX_AMOUNT));
  const outcomes = await Promise.allSettled(
    changes.map((each) => transact([addition(SUMS, tenant, 1, { a: each })])),
  );
  const added = changes.filter((_, index) => outcomes[index]?.status === 'fulfilled');
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(Contention);
  }
  const kept = Number((await getItem(counterKey(SUMS, tenant, 1)))?.['a']);
  expect(kept).toBe(added.reduce((total, each) => total + each, 0));
  expect(isAmount(kept)).toBe(true);
});
