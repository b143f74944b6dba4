import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { putNew, replace } from '#lib/table/change/write.ts';
import { equals } from '#lib/table/expression.ts';
import { lockAhead, releasePessimisticLock } from '#lib/table/journal/pessimistic-lock.ts';
import { joinWaitQueue, waitQueuePosition } from '#lib/table/journal/wait-queue.ts';
import type { Key } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { newMeter, runInContext } from '#lib/table/request-context.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { checksOf } from '#tests/support/checks.ts';

/** Makes more items than one transaction of DynamoDB's takes. */
async function manyItems(): Promise<Key[]> {
  const pk = `test#${randomUUID()}`;
  const keys = Array.from({ length: 120 }, (_, index): Key => ({ pk, sk: String(index).padStart(5, '0') }));
  await transact(keys.slice(0, 60).map((key) => putNew(key, { n: 0 })));
  await transact(keys.slice(60).map((key) => putNew(key, { n: 0 })));
  return keys;
}

/** Adds one to each item. */
function addOne(keys: readonly Key[]): Promise<void> {
  return retryOnContention(async () => {
    const items = await getItems(keys);
    const writes = items.map((item) => {
      const n = Number(item?.['n']);
      return replace(
        { pk: String(item?.['pk']), sk: String(item?.['sk']) },
        { ...item },
        { n: n + 1 },
        { if: equals('n', n) },
      );
    });
    await transact(writes);
  });
}

test('eight large transactions of the same items are all made, and none is begun more than twice', async () => {
  const keys = await manyItems();
  const meters = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const meter = newMeter();
      await runInContext({ meter }, () => addOne(keys));
      return meter;
    }),
  );
  expect(new Set((await getItems(keys)).map((item) => item?.['n']))).toEqual(new Set([8]));
  // A failed attempt counts once; the other calls only check the queue position.
  for (const { conflicts } of meters) expect(conflicts).toBeLessThanOrEqual(2);
});

test('a large transaction that waits takes no item until the one before it is over', async () => {
  const keys = await manyItems();
  const before = await lockAhead(checksOf(keys), Date.now());
  const waiting = addOne(keys);
  expect(await Promise.race([waiting.then(() => 'made'), pause(1000, 'waits')])).toBe('waits');
  await releasePessimisticLock(before);
  await waiting;
  expect(new Set((await getItems(keys)).map((item) => item?.['n']))).toEqual(new Set([1]));
});

test('of those who wait for the same journal the older go first', async () => {
  const journal = randomUUID();
  for (const waiting of ['3', '1', '2']) await joinWaitQueue(journal, waiting);
  expect(await Promise.all(['1', '2', '3'].map((waiting) => waitQueuePosition(journal, waiting)))).toEqual([
    0, 1, 2,
  ]);
});
