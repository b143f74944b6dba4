import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { putNew } from '#lib/table/change/write.ts';
import { withDeadline } from '#lib/table/deadline.ts';
import { PLATFORM } from '#lib/table/keys.ts';
import { newMeter, runInContext } from '#lib/table/request-context.ts';
import { nextId } from '#lib/table/sequences.ts';
import { Contention, retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { badRequest } from '#lib/values/api-error.ts';

function refused(type: string, count = 1): Promise<number> {
  return withDeadline(20_000, () => nextId(type, PLATFORM, count));
}

/** Draws an id and writes an item of it, or tries to: there is one already. */
function made(type: string): Promise<number> {
  return withDeadline(20_000, async () => {
    const id = await nextId(type, PLATFORM);
    await transact([putNew({ pk: type, sk: String(id) }, {}, badRequest('document.too_large'))]);
    return id;
  });
}

test('the ids of a call that wrote nothing are those of the next one, which pays for none', async () => {
  const type = randomUUID();
  expect(await refused(type)).toBe(1);
  const meter = newMeter();
  expect(await runInContext({ meter }, () => refused(type))).toBe(1);
  expect(meter.calls).toEqual([]);
  expect(await made(type)).toBe(1);
  expect(await made(type)).toBe(2);
});

test('ids that a call may have written never come again, however it ended', async () => {
  const type = randomUUID();
  await transact([putNew({ pk: type, sk: '1' }, {})]);
  await expect(made(type)).rejects.toMatchObject({ status: 400 });
  expect(await made(type)).toBe(2);
});

test('calls at once never have the same ids', async () => {
  const type = randomUUID();
  await Promise.all(Array.from({ length: 20 }, () => refused(type)));
  const ids = await Promise.all(Array.from({ length: 30 }, () => made(type)));
  expect(new Set(ids).size).toBe(30);
  expect(Math.max(...ids)).toBe(30);
});

test('as many ids are given again as are wanted', async () => {
  const type = randomUUID();
  expect(await refused(type, 3)).toBe(1);
  expect(await refused(type, 2)).toBe(4);
  expect(await refused(type, 3)).toBe(1);
});

test('ids are given again for some seconds, by the time of day too', async () => {
  const type = randomUUID();
  await refused(type);
  const now = Date.now();
  vi.spyOn(Date, 'now').mockReturnValue(now + 6000);
  expect(await refused(type)).toBe(2);
  vi.restoreAllMocks();
});

test('a call that is refused while its ids are drawn waits for them, and gives them back', async () => {
  const type = randomUUID();
  const call = withDeadline(20_000, () =>
    Promise.all([nextId(type, PLATFORM), Promise.reject(badRequest('document.too_large'))]),
  );
  await expect(call).rejects.toMatchObject({ status: 400 });
  expect(await made(type)).toBe(1);
});

test('work that is tried again has the same ids, and none are drawn for nothing', async () => {
  const type = randomUUID();
  const tries: number[][] = [];
  await retryOnContention(async () => {
    const draw = (count: number) => nextId(type, PLATFORM, count);
    tries.push([await draw(2), await draw(2), await draw(0), await draw(1)]);
    if (tries.length < 3) throw new Contention();
  });
  expect(tries).toEqual([
    [1, 3, 0, 5],
    [1, 3, 0, 5],
    [1, 3, 0, 5],
  ]);
});

test('ids that were written are not given to another try', async () => {
  const type = randomUUID();
  const tries: number[] = [];
  await retryOnContention(async () => {
    const id = await nextId(type, PLATFORM);
    tries.push(id);
    await transact([putNew({ pk: type, sk: String(id) }, {})]);
    if (tries.length < 2) throw new Contention();
  });
  expect(tries).toEqual([1, 2]);
});
