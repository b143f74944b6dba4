import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, test, vi } from 'vitest';
import { answerError, delay } from '#bench/chaos/fault.ts';
import type { WireCall } from '#bench/chaos/table-call.ts';
import { putNew, replace } from '#lib/table/change/write.ts';
import { equals } from '#lib/table/expression.ts';
import { getRawItems, locksOn } from '#lib/table/items.ts';
import { recoverJournal } from '#lib/table/journal/recovery.ts';
import type { Key } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { Contention, retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { checksOf } from '#tests/support/checks.ts';
import { leaseRunsOut } from '#tests/support/clock.ts';
import { withCalls } from '#tests/support/kill-after-calls.ts';
import { behindProxy, faultInTest } from '#tests/support/table-faults.ts';
import { expectHandled } from '#tests/support/unhandled.ts';

const proxy = await behindProxy();

afterAll(() => proxy.stop());

expectHandled();

/** Creates items, and returns their keys with one of a missing item. */
async function scene() {
  const pk = `test#${randomUUID()}`;
  const keys = Array.from({ length: 130 }, (_, index): Key => ({ pk, sk: String(index).padStart(5, '0') }));
  await transact(keys.slice(0, 65).map((key) => putNew(key, { n: 0 })));
  await transact(keys.slice(65).map((key) => putNew(key, { n: 0 })));
  return { keys, beside: { pk: `test#${randomUUID()}`, sk: '1' } };
}

type Scene = Awaited<ReturnType<typeof scene>>;

/** Adds one to each item and makes the other, once it has been overtaken. */
async function overtaken({ keys, beside }: Scene): Promise<void> {
  let attempts = 0;
  await retryOnContention(async () => {
    attempts += 1;
    if (attempts === 1) throw new Contention(checksOf(keys));
    const items = await getItems(keys);
    await transact([
      ...items.map((item, index) => {
        const n = Number(item?.['n']);
        const key = keys[index] ?? beside;
        return replace(key, { ...item }, { n: n + 1 }, { if: equals('n', n) });
      }),
      putNew(beside, { n: 1 }),
    ]);
  });
}

/** Lets the lease expire and the worker run; expects all or nothing, and no leftovers. */
async function expectRecovered({ keys, beside }: Scene, id: string | undefined): Promise<void> {
  leaseRunsOut();
  const locks = locksOn(await getRawItems([...keys, beside]));
  await Promise.all([...new Set([...locks, ...(id === undefined ? [] : [id])])].map(recoverJournal));
  vi.restoreAllMocks();
  const raw = await getRawItems([...keys, beside]);
  expect(locksOn(raw)).toEqual([]);
  const sums = [...new Set(raw.slice(0, keys.length).map((item) => item?.['n']))];
  expect([
    [[0], undefined],
    [[1], 1],
  ]).toContainEqual([sums, raw.at(-1)?.['n']]);
}

/** Matches the write of a large transaction's changes. */
const isChunk = ({ operation, keys: [key] }: WireCall) =>
  operation === 'PutItem' && key?.sk.startsWith('chunk-') === true;

test('a reserving owner that dies before its changes are written down leaves no placeholder', async () => {
  const shop = await scene();
  const held = faultInTest(proxy, isChunk, delay(new Promise(() => {})));
  const running = withCalls(1000, () => overtaken(shop)).catch(() => false);
  const id = (await held.met).keys[0]?.pk.replace('journal#', '');
  await pause(500);
  await expectRecovered(shop, id);
  expect(running).toBeInstanceOf(Promise);
});

test('a reserving owner killed at any call leaves all or nothing, and no placeholder', async () => {
  let lived = false;
  for (let calls = 1; !lived; calls++) {
    const shop = await scene();
    lived = await withCalls(calls, () => overtaken(shop));
    await expectRecovered(shop, undefined);
  }
});

test('a process lives on if the changes of a reservation can’t be written down', async () => {
  const shop = await scene();
  faultInTest(proxy, isChunk, answerError({ name: 'ProvisionedThroughputExceededException' }), { times: 50 });
  const isTake = ({ operation, keys }: WireCall) =>
    operation === 'TransactWriteItems' && keys.some(({ pk }) => pk === shop.beside.pk);
  faultInTest(proxy, isTake, delay(4000), { times: 50 });
  await expect(overtaken(shop)).rejects.toThrow();
  await expectRecovered(shop, undefined);
});
