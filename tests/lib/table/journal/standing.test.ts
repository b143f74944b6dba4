import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { check, put, putNew, update } from '#lib/table/change/write.ts';
import type { Item } from '#lib/table/client.ts';
import { equals } from '#lib/table/expression.ts';
import { getRawItems, lockOf } from '#lib/table/items.ts';
import { recoverItems } from '#lib/table/journal/recovery.ts';
import {
  isOwnerActive,
  ownerState,
  standingLock,
  standingLockWrite,
  standingUnlockWrite,
} from '#lib/table/journal/standing-lock.ts';
import { type Key, PLATFORM, recordKey } from '#lib/table/keys.ts';
import { listItems } from '#lib/table/list/list.ts';
import { getItem, getItems } from '#lib/table/read/get.ts';
import { newMeter, runInContext } from '#lib/table/request-context.ts';
import { Contention, retryOnContention, transact } from '#lib/table/transaction/transact.ts';

/** Creates an owner under way, and `count` items with `n: 1`. */
async function newOwner(count: number) {
  const type = randomUUID();
  const owner = recordKey(`owner-${type}`, PLATFORM, 1);
  const keys = Array.from({ length: count }, (_, index) => recordKey(type, PLATFORM, index));
  await transact([putNew(owner, ownerState('preparing'))]);
  for (let from = 0; from < count; from += 100) {
    await transact(keys.slice(from, from + 100).map((key) => putNew(key, { id: Number(key.sk), n: 1 })));
  }
  return { type, owner, keys, lock: standingLock(owner) };
}

type Owner = Awaited<ReturnType<typeof newOwner>>;

async function takeAll({ owner, lock, keys }: Owner, n: number, wanted = keys): Promise<void> {
  for (let from = 0; from < wanted.length; from += 99) {
    const takes = wanted
      .slice(from, from + 99)
      .map((key) => standingLockWrite(lock, key, { id: Number(key.sk), n }, { if: equals('n', 1) }));
    await transact([check(owner, { if: isOwnerActive }), ...takes]);
  }
}

async function end({ owner }: Owner, state: 'committed' | 'aborted'): Promise<void> {
  await transact([update(owner, { set: ownerState(state) }, { if: isOwnerActive })]);
}

async function seen(keys: readonly Key[]): Promise<unknown[]> {
  return (await getItems(keys)).map((item) => item?.['n']);
}

function onlyOf(items: readonly (Item | undefined)[]): unknown[] {
  return [...new Set(items.map((item) => item?.['n']))];
}

test('what is taken is as it was until the owner commits, and then all of it at once as it will be', async () => {
  const owner = await newOwner(3);
  await takeAll(owner, 2);
  expect(await seen(owner.keys)).toEqual([1, 1, 1]);
  expect(await getItem(owner.keys[0] ?? owner.owner)).not.toHaveProperty('pending.n');
  await end(owner, 'committed');
  expect(await seen(owner.keys)).toEqual([2, 2, 2]);
});

test('what is taken is as it was once the owner has given up', async () => {
  const owner = await newOwner(3);
  await takeAll(owner, 2);
  await end(owner, 'aborted');
  expect(await seen(owner.keys)).toEqual([1, 1, 1]);
});

test('what is taken anew is as it was taken last, and what is given back stays as it was', async () => {
  const owner = await newOwner(3);
  const [first, second, third] = owner.keys;
  if (!first || !second || !third) throw new Error('Three were made');
  await takeAll(owner, 2);
  await takeAll(owner, 3, [first]);
  await transact([
    check(owner.owner, { if: isOwnerActive }),
    standingLockWrite(owner.lock, second, undefined, { if: equals('n', 1) }),
    standingUnlockWrite(owner.lock, third),
  ]);
  await end(owner, 'committed');
  expect(await seen(owner.keys)).toEqual([3, 1, 1]);
  expect((await getRawItems([third])).map(lockOf)).toEqual([undefined]);
});

test('nothing is taken after the end', async () => {
  const owner = await newOwner(2);
  await end(owner, 'committed');
  await expect(takeAll(owner, 2)).rejects.toBeInstanceOf(Contention);
  expect(await seen(owner.keys)).toEqual([1, 1]);
});

test('a writer is notified at once to read again, with a small or a large transaction', async () => {
  const owner = await newOwner(150);
  await takeAll(owner, 2, owner.keys.slice(70, 80));
  const small = owner.keys.slice(75, 76).map((key) => update(key, { add: { n: 1 } }));
  const large = owner.keys.map((key) => update(key, { add: { n: 1 } }, { if: equals('n', 1) }));
  const meter = newMeter();
  await runInContext({ meter }, async () => {
    await expect(transact(small)).rejects.toBeInstanceOf(Contention);
    await expect(transact(large)).rejects.toBeInstanceOf(Contention);
  });
  // Neither retries nor waits.
  expect(meter.calls.length).toBeLessThan(30);
  expect(new Set(await seen(owner.keys))).toEqual(new Set([1]));
});

test('who read before it was taken reads again, and not under a reservation of what he can not have', async () => {
  const owner = await newOwner(120);
  let reads = 0;
  const work = retryOnContention(async () => {
    reads += 1;
    const items = await getRawItems(owner.keys);
    if (items.some(lockOf)) throw new Error('It is closed');
    if (reads === 1) await transact([update(owner.keys[3] ?? owner.owner, { set: { n: 7 } })]);
    if (reads === 1) await takeAll(owner, 2, owner.keys.slice(50, 60));
    await transact(owner.keys.map((key) => update(key, { add: { n: 1 } }, { if: equals('n', 1) })));
  });
  await expect(work).rejects.toThrow('It is closed');
  expect(reads).toBe(2);
});

test.each([3, 150])(
  'who writes %i items that a committed owner has taken brings them up first',
  async (size) => {
    const owner = await newOwner(size);
    await takeAll(owner, 2);
    await end(owner, 'committed');
    await transact(owner.keys.map((key) => update(key, { add: { n: 1 } }, { if: equals('n', 2) })));
    expect(onlyOf(await getRawItems(owner.keys))).toEqual([3]);
    expect((await getRawItems(owner.keys)).some(lockOf)).toBe(false);
  },
);

test('who writes what an owner has left goes on from what it was', async () => {
  const owner = await newOwner(3);
  await takeAll(owner, 2);
  await end(owner, 'aborted');
  await transact(owner.keys.map((key) => put(key, { id: Number(key.sk), n: 5 }, { if: equals('n', 1) })));
  expect(await getRawItems(owner.keys)).toEqual(
    owner.keys.map((key) => ({ ...key, id: Number(key.sk), n: 5 })),
  );
});

test('what it was taken for happens once, however many bring it about', async () => {
  const owner = await newOwner(20);
  await takeAll(owner, 2);
  await end(owner, 'committed');
  const heals = Array.from({ length: 5 }, () => recoverItems(owner.lock, owner.keys));
  const adds = owner.keys.map((key) => transact([update(key, { add: { n: 10 } })]));
  await Promise.all([...heals, ...adds]);
  await recoverItems(owner.lock, owner.keys);
  expect(onlyOf(await getRawItems(owner.keys))).toEqual([12]);
});

test('its lock is nobody’s orphan, and outlasts every patience', async () => {
  const owner = await newOwner(1);
  await takeAll(owner, 2);
  expect(await recoverItems(owner.lock, owner.keys)).toBe('withheld');
  expect(await recoverItems(standingLock(recordKey('nobody', PLATFORM, 1)), owner.keys)).toBe('withheld');
  expect((await getRawItems(owner.keys)).map(lockOf)).toEqual([owner.lock]);
});

test('a reader in a loop sees all of three hundred as they were or all as they will be', async () => {
  const owner = await newOwner(300);
  await takeAll(owner, 2);
  const looks: unknown[][] = [];
  let isOver = false;
  const reading = (async () => {
    while (!isOver) looks.push(onlyOf(await getItems(owner.keys)));
  })();
  const listing = (async () => {
    const request = { where: [], sort: { field: 'id', descending: true }, page: 1, pageSize: 300 };
    while (!isOver) {
      looks.push(onlyOf((await listItems({ type: owner.type, tenant: PLATFORM }, request)).rows));
    }
  })();
  while (looks.length < 4) await new Promise((done) => setTimeout(done, 5));
  await end(owner, 'committed');
  await recoverItems(owner.lock, owner.keys);
  isOver = true;
  await Promise.all([reading, listing]);
  looks.push(onlyOf(await getItems(owner.keys)));
  expect(looks.filter(({ length }) => length !== 1)).toEqual([]);
  expect(looks.at(0)).toEqual([1]);
  expect(looks.at(-1)).toEqual([2]);
});

test('a list filters what is taken by what it will be', async () => {
  const owner = await newOwner(5);
  await takeAll(owner, 2, owner.keys.slice(0, 2));
  await end(owner, 'committed');
  const request = { sort: { field: 'n', descending: false }, page: 1, pageSize: 9 };
  const { rows } = await listItems(
    { type: owner.type, tenant: PLATFORM },
    { ...request, where: [equals('n', 2)] },
  );
  expect(rows.map(({ id }) => id)).toEqual([0, 1]);
});
