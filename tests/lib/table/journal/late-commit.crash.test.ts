import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import type { Fault } from '#bench/chaos/fault.ts';
import { isCommit, isHeader, type WireCall } from '#bench/chaos/table-call.ts';
import { actionOf, updateOf } from '#lib/table/change/change.ts';
import { writeOne } from '#lib/table/change/send.ts';
import { putNew, replace } from '#lib/table/change/write.ts';
import { equals, present } from '#lib/table/expression.ts';
import { getRawItems, LOCK } from '#lib/table/items.ts';
import { openJournal } from '#lib/table/journal/store.ts';
import type { Key } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { behindProxy, faultInTest } from '#tests/support/table-faults.ts';

const proxy = await behindProxy();

afterAll(() => proxy.stop());

const isAbort = (call: WireCall) =>
  call.operation === 'UpdateItem' && isHeader(call) && call.values.has('aborted');

test('a commit that arrives after its copy was refused, and before the abort, is reported as made', async () => {
  const pk = `test#${randomUUID()}`;
  const keys = Array.from({ length: 150 }, (_, index): Key => ({ pk, sk: String(index).padStart(5, '0') }));
  await transact(keys.slice(0, 90).map((key) => putNew(key, { n: 0, version: 1 })));
  await transact(keys.slice(90).map((key) => putNew(key, { n: 0, version: 1 })));
  const older = `${'0'.repeat(15)}-${randomUUID()}`;
  await openJournal(older);
  const lockLast = (lock: string | undefined) =>
    writeOne(
      actionOf(
        keys.at(-1) ?? { pk, sk: '' },
        updateOf(lock === undefined ? { unset: [LOCK] } : { set: { [LOCK]: lock } }),
        [present('pk')],
      ),
    );
  const isAborting = Promise.withResolvers<void>();
  const hasArrived = Promise.withResolvers<void>();
  const late: Fault = async ({ cut, forward }) => {
    cut();
    await isAborting.promise;
    expect((await forward()).status).toBe(200);
    hasArrived.resolve();
  };
  const refused: Fault = async ({ forward, answer }) => {
    await lockLast(older);
    answer(await forward());
  };
  const beforeAbort: Fault = async ({ forward, answer }) => {
    await lockLast(undefined);
    isAborting.resolve();
    await hasArrived.promise;
    answer(await forward());
  };
  let commits = 0;
  faultInTest(proxy, (call) => isCommit(call) && commits++ === 0, late);
  faultInTest(proxy, isCommit, refused);
  const abort = faultInTest(proxy, isAbort, beforeAbort);
  let tries = 0;
  await retryOnContention(async () => {
    tries += 1;
    const [before, after] = [
      { n: 0, version: 1 },
      { n: 1, version: 2 },
    ];
    await transact(keys.map((key) => replace(key, before, after, { if: equals('version', 1) })));
  });
  expect([abort.count, tries]).toEqual([1, 1]);
  expect(new Set((await getItems(keys)).map((item) => item?.['n']))).toEqual(new Set([1]));
  expect((await getRawItems(keys)).filter((item) => item?.[LOCK] !== undefined)).toEqual([]);
});
