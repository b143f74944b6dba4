import { randomUUID } from 'node:crypto';
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { bytesOf, check, put, putNew, remove, replace, update, type Write } from '#lib/table/change/write.ts';
import { dynamo } from '#lib/table/client.ts';
import { present } from '#lib/table/expression.ts';
import { getRawItems, locksOn } from '#lib/table/items.ts';
import { addressOf, type Key } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { Contention, retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { checksOf } from '#tests/support/checks.ts';

/** DynamoDB's limit; the local engines don't count the stored size of items. */
const MOST = 4_000_000;

const LARGE = 60_000;

afterEach(() => void vi.restoreAllMocks());

/** Creates items of a number of bytes each. */
async function made(count: number, bytes: number): Promise<Key[]> {
  const pk = `test#${randomUUID()}`;
  const keys = Array.from({ length: count }, (_, index) => ({ pk, sk: String(index).padStart(5, '0') }));
  await transact(keys.map((key) => putNew(key, { n: 0, text: 'x'.repeat(bytes) })));
  return keys;
}

const Action = z.union([
  z.object({ Key: z.object({ pk: z.string(), sk: z.string() }) }).transform(({ Key }) => Key),
  z.object({ Item: z.object({ pk: z.string(), sk: z.string() }) }).transform(({ Item }) => Item),
]);

/** Sums the bytes of the items of each transaction that some work sends. */
async function bytesSent(keys: readonly Key[], work: () => Promise<unknown>): Promise<number[]> {
  const before = await getRawItems(keys);
  const sizes = new Map(keys.map((key, index) => [addressOf(key), bytesOf(before[index] ?? {})]));
  const sent = vi.spyOn(dynamo, 'send');
  await work();
  const transactions = sent.mock.calls.flatMap(([command]) =>
    command instanceof TransactWriteCommand ? [command.input.TransactItems ?? []] : [],
  );
  return transactions.map((actions) =>
    actions
      .flatMap((action) => Object.values(action))
      .reduce((sum, action) => sum + (sizes.get(addressOf(Action.parse(action))) ?? 0), 0),
  );
}

test.each<[string, (key: Key) => Write]>([
  ['checks', (key) => check(key, { if: present('n') })],
  ['updates', (key) => update(key, { add: { n: 1 } })],
  ['removals', (key) => remove(key)],
  ['items put over others', (key) => put(key, { n: 1 })],
  [
    'items made smaller',
    (key) => replace(key, { n: 0, text: 'x'.repeat(LARGE) }, { n: 1 }, { if: present('n') }),
  ],
])('no transaction has more than 4 MB of items, of which 110 are large: %s', async (_, write) => {
  const keys = await made(110, LARGE);
  const sent = await bytesSent(keys, () => transact(keys.map(write)));
  expect(Math.max(...sent)).toBeLessThan(MOST);
  expect(Math.max(...sent)).toBeGreaterThan(MOST / 2);
  expect(locksOn(await getRawItems(keys))).toEqual([]);
});

test('no transaction has more than 4 MB of items that are reserved', async () => {
  const keys = await made(110, LARGE);
  let attempts = 0;
  const sent = await bytesSent(keys, () =>
    retryOnContention(async () => {
      attempts += 1;
      if (attempts === 1) throw new Contention(checksOf(keys));
      await transact(keys.map((key) => update(key, { add: { n: 1 } })));
    }),
  );
  expect(Math.max(...sent)).toBeLessThan(MOST);
  expect((await getItems(keys)).map((item) => item?.['n'])).toEqual(keys.map(() => 1));
});

test.each([
  ['taken', false],
  ['reserved', true],
])('an item that an update would make too large is 400 before anything is %s', async (_, isReserved) => {
  const keys = await made(120, 1);
  const [large, ...others] = keys;
  if (!large) return;
  await transact([put(large, { n: 0, text: 'x'.repeat(300_000) })]);
  const writes = [
    update(large, { set: { more: 'x'.repeat(150_000) } }),
    ...others.map((key) => update(key, { add: { n: 1 } })),
  ];
  let attempts = 0;
  const done = retryOnContention(async () => {
    attempts += 1;
    if (isReserved && attempts === 1) throw new Contention(checksOf(keys));
    await transact(writes);
  });
  await expect(done).rejects.toMatchObject({ status: 400, phrase: { key: 'document.too_large' } });
  const items = await getRawItems(keys);
  expect(locksOn(items)).toEqual([]);
  expect([...new Set(items.map((item) => item?.['n']))]).toEqual([0]);
});
