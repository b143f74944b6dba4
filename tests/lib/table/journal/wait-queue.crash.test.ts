import { randomUUID } from 'node:crypto';
import { afterAll, expect, test, vi } from 'vitest';
import { delay } from '#bench/chaos/fault.ts';
import type { WireCall } from '#bench/chaos/table-call.ts';
import { putNew } from '#lib/table/change/write.ts';
import { withDeadline } from '#lib/table/deadline.ts';
import { getRawItems, locksOn } from '#lib/table/items.ts';
import { lockAhead, releasePessimisticLock } from '#lib/table/journal/pessimistic-lock.ts';
import { recoverJournal } from '#lib/table/journal/recovery.ts';
import type { Key } from '#lib/table/keys.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import { checksOf } from '#tests/support/checks.ts';
import { leaseRunsOut } from '#tests/support/clock.ts';
import { withCalls } from '#tests/support/kill-after-calls.ts';
import { behindProxy, faultInTest } from '#tests/support/table-faults.ts';

const proxy = await behindProxy();

afterAll(() => proxy.stop());

const isTransaction = ({ operation }: WireCall) => operation === 'TransactWriteItems';

/** Creates items that large transactions write, and locks them for the first. */
async function reservedItems() {
  const pk = `test#${randomUUID()}`;
  const keys = Array.from({ length: 110 }, (_, index): Key => ({ pk, sk: String(index).padStart(5, '0') }));
  await transact(keys.slice(0, 55).map((key) => putNew(key, { n: 0 })));
  await transact(keys.slice(55).map((key) => putNew(key, { n: 0 })));
  return { keys, before: await lockAhead(checksOf(keys), Date.now()) };
}

/** Locks the items one after the other, and releases them. */
async function takeNext(keys: readonly Key[]): Promise<void> {
  await releasePessimisticLock(await lockAhead(checksOf(keys), Date.now()));
}

test('who dies at any call while it waits for its turn is in nobody’s way', async () => {
  let lived = false;
  for (let calls = 1; !lived; calls++) {
    const { keys, before } = await reservedItems();
    const waiting = withCalls(calls, () => takeNext(keys));
    // Long enough for several polls, so that it also dies while waiting.
    setTimeout(() => void releasePessimisticLock(before), 60);
    lived = await waiting;
    leaseRunsOut();
    await Promise.all(locksOn(await getRawItems(keys)).map(recoverJournal));
    vi.restoreAllMocks();
    await takeNext(keys);
    expect(locksOn(await getRawItems(keys))).toEqual([]);
  }
});

test('who waits for an owner that died takes its items once the lease is over', async () => {
  const { keys } = await reservedItems();
  const waiting = takeNext(keys);
  leaseRunsOut();
  await waiting;
  expect(locksOn(await getRawItems(keys))).toEqual([]);
});

test('who has no time left to end a large transaction takes nothing, and is in nobody’s way', async () => {
  const { keys, before } = await reservedItems();
  const slow = faultInTest(proxy, isTransaction, delay(800), { times: Number.POSITIVE_INFINITY });
  // It waits for a second; then it has time for some writes, but not for all.
  const waiting = withDeadline(5500, () => takeNext(keys)).then(
    () => 'made',
    (error: unknown) => error,
  );
  setTimeout(() => void releasePessimisticLock(before), 1000);
  expect(await waiting).toMatchObject({ status: 503 });
  slow.off();
  await releasePessimisticLock(before);
  expect(locksOn(await getRawItems(keys))).toEqual([]);
});
