import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { putNew } from '#lib/table/change/write.ts';
import { type Key, PLATFORM, recordKey, type Source, userTenant } from '#lib/table/keys.ts';
import { listItems } from '#lib/table/list/list.ts';
import { getItem, getItems } from '#lib/table/read/get.ts';
import { newMeter, roundTripsOf, runInContext, unitsOf, waitMsOf } from '#lib/table/request-context.ts';
import { nextId } from '#lib/table/sequences.ts';
import { transact } from '#lib/table/transaction/transact.ts';

async function rows(count: number): Promise<Source> {
  const source: Source = { type: randomUUID(), tenant: PLATFORM };
  await nextId(source.type, source.tenant, count);
  for (let from = 0; from < count; from += 100) {
    const ids = Array.from({ length: Math.min(100, count - from) }, (_, index) => from + index + 1);
    await transact(
      ids.map((id) => putNew(keyIn(source, id), { id, name: `n${id % 7}`, created_at: Date.now() })),
    );
  }
  return source;
}

function keyIn({ type, tenant }: Source, id: number): Key {
  return recordKey(type, tenant, id);
}

test('ids of a type count from 1 without repetition, however many ask at once', async () => {
  const type = randomUUID();
  const ids = await Promise.all(Array.from({ length: 30 }, () => nextId(type, PLATFORM)));
  expect(ids.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
  expect(await nextId(type, PLATFORM, 5)).toBe(31);
  expect(await nextId(type, PLATFORM)).toBe(36);
});

test('items come in the order of their keys, twice if asked twice, over a hundred at once', async () => {
  const source = await rows(230);
  const key = (id: number) => keyIn(source, id);
  const found = await getItems([
    key(230),
    key(999),
    ...Array.from({ length: 230 }, (_, index) => key(index + 1)),
    key(230),
  ]);
  expect(found.map((item) => item?.['id'])).toEqual([
    230,
    undefined,
    ...Array.from({ length: 230 }, (_, index) => index + 1),
    230,
  ]);
});

test('a page of a list has the exact total, newest first or oldest first', async () => {
  const source = await rows(45);
  const request = { where: [], page: 3, pageSize: 20 };
  const last = await listItems(source, { ...request, sort: { field: 'id', descending: true } });
  expect(last).toMatchObject({ total: 45, rows: [5, 4, 3, 2, 1].map((id) => ({ id })) });
  const first = await listItems(source, { ...request, page: 1, sort: { field: 'id', descending: false } });
  expect(first.rows.map(({ id }) => id)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
});

test('another order puts equal rows in the order of ids', async () => {
  const source = await rows(14);
  const sort = { field: 'name', descending: true };
  const page = await listItems(source, { where: [], sort, page: 1, pageSize: 4 });
  expect(page.rows.map(({ id }) => id)).toEqual([13, 6, 12, 5]);
});

test('the meter counts calls in sequence as round trips and calls side by side as one', async () => {
  const meter = newMeter();
  const key = keyIn(await rows(1), 1);
  await runInContext({ meter }, async () => {
    await Promise.all([1, 2, 3].map((id) => nextId('test', userTenant(id))));
    await getItem(key);
  });
  expect(meter.calls.length).toBe(4);
  expect(roundTripsOf(meter)).toBe(2);
  expect(unitsOf(meter)).toBe(4);
  expect(waitMsOf(meter)).toBeGreaterThan(0);
});

test('work that runs side by side is metered separately', async () => {
  const key = { pk: `test#${randomUUID()}`, sk: '1' };
  const meters = [newMeter(), newMeter()];
  await Promise.all(meters.map((meter) => runInContext({ meter }, () => getItem(key))));
  expect(meters.map(({ calls }) => calls.length)).toEqual([1, 1]);
});

test('what work of one call reads at one moment goes in one request, other calls in others', async () => {
  const source = await rows(4);
  const key = (id: number) => keyIn(source, id);
  const meters = [newMeter(), newMeter()];
  const reads = meters.map((meter) =>
    runInContext({ meter }, () =>
      Promise.all([getItem(key(1)), getItems([key(2), key(9)]), getItem(key(1))]),
    ),
  );
  for (const [one, others, same] of await Promise.all(reads)) {
    expect([one?.['id'], others.map((item) => item?.['id']), same?.['id']]).toEqual([1, [2, undefined], 1]);
  }
  expect(meters.map(({ calls }) => calls.length)).toEqual([1, 1]);
});

test('a request that fails fails all reads that joined it, and the next read is a new one', async () => {
  const { type } = await rows(1);
  const meter = newMeter();
  await runInContext({ meter }, async () => {
    const wrong = getItem({ pk: '', sk: '' });
    const joined = getItem(recordKey(type, PLATFORM, 1));
    await expect(wrong).rejects.toThrow();
    await expect(joined).rejects.toThrow();
    expect(await getItem(recordKey(type, PLATFORM, 1))).toMatchObject({ id: 1 });
  });
});
