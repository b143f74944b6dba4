import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { delay, stayMute } from '#bench/chaos/fault.ts';
import type { WireCall } from '#bench/chaos/table-call.ts';
import { putOne, updateOne } from '#lib/table/change/send.ts';
import { putNew, update } from '#lib/table/change/write.ts';
import { withDeadline } from '#lib/table/deadline.ts';
import { absent } from '#lib/table/expression.ts';
import { getRawItems } from '#lib/table/items.ts';
import type { Key } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import { isTransientError } from '#lib/table/transient-errors.ts';
import { QUICK_MS } from '#lib/values/silence.ts';
import { behindProxy, faultInTest } from '#tests/support/table-faults.ts';

/*
 * A connection may go silent: its node has died, or the function was frozen as it was closed. DynamoDB Local
 * never does so. A call has 28.5 seconds, and one silent connection must not cost it all of them.
 */

const proxy = await behindProxy();

afterAll(() => proxy.stop());

/** Duration of a call: a response later than that is 503. */
const CALL_MS = 28_500;

async function newCounter(): Promise<Key> {
  const key = { pk: `test#${randomUUID()}`, sk: 'header' };
  await transact([putNew(key, { n: 0 })]);
  return key;
}

const of =
  (operation: string) =>
  (call: WireCall): boolean =>
    call.operation === operation;

test('a read that is never answered is sent again on another connection', async () => {
  const key = await newCounter();
  const rule = faultInTest(proxy, of('BatchGetItem'), stayMute());
  const [item] = await withDeadline(CALL_MS, () => getRawItems([key]));
  expect([rule.count, item?.['n']]).toEqual([1, 0]);
});

test('work without a deadline waits longer for a busy table', async () => {
  const key = await newCounter();
  const rule = faultInTest(proxy, of('BatchGetItem'), delay(QUICK_MS + 1000), { times: 4 });
  const [item] = await getRawItems([key]);
  expect([rule.count, item?.['n']]).toEqual([1, 0]);
});

test.each([
  ['not made', false],
  ['made', true],
])('a transaction that was %s, and is never answered, is made once', async (_, isDone) => {
  const key = await newCounter();
  const beside = { pk: key.pk, sk: 'beside' };
  const rule = faultInTest(proxy, of('TransactWriteItems'), stayMute({ isDone }));
  await withDeadline(CALL_MS, () => transact([update(key, { add: { n: 1 } }), putNew(beside, { n: 1 })]));
  expect(rule.count).toBe(1);
  expect([(await getItem(key))?.['n'], (await getItem(beside))?.['n']]).toEqual([1, 1]);
});

test.each([
  ['not made', false],
  ['made', true],
])('a single write that was %s, and is never answered, is never made twice', async (_, isDone) => {
  const key = { pk: `test#${randomUUID()}`, sk: 'header' };
  const rule = faultInTest(proxy, of('PutItem'), stayMute({ isDone }));
  const isOurs = await withDeadline(CALL_MS, () => putOne(key, { ...key, n: 1, version: 1 }, 0));
  // Reported as overtaken, as after any lost response: the caller reads again.
  expect([rule.count, isOurs]).toEqual([1, !isDone]);
  expect((await getItem(key))?.['n']).toBe(1);
});

test('a table that answers nobody is busy before the call is over, and later answers again', async () => {
  const key = await newCounter();
  const rule = faultInTest(proxy, of('UpdateItem'), stayMute(), { times: 50 });
  const adding = () => updateOne(key, { add: { n: 1 } }, absent('journal'));
  const error = await withDeadline(CALL_MS, adding).catch((caught: unknown) => caught);
  expect([isTransientError(error), rule.count > 1]).toEqual([true, true]);
  rule.off();
  expect(await withDeadline(CALL_MS, adding)).toBe(true);
  expect((await getItem(key))?.['n']).toBe(1);
});
