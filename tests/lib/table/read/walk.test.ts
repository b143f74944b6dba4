import { randomUUID } from 'node:crypto';
import { afterAll, expect, test, vi } from 'vitest';
import type { Fault } from '#bench/chaos/fault.ts';
import { isHeader, type WireCall } from '#bench/chaos/table-call.ts';
import { type Target, updateOf } from '#lib/table/change/change.ts';
import { put, putNew } from '#lib/table/change/write.ts';
import { equals } from '#lib/table/expression.ts';
import { LOCK } from '#lib/table/items.ts';
import { applyAll } from '#lib/table/journal/apply.ts';
import { commit } from '#lib/table/journal/outcome.ts';
import { closeJournal, openJournal, recordTargets } from '#lib/table/journal/store.ts';
import type { Key } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { walk } from '#lib/table/read/walk.ts';
import { newMeter, runInContext } from '#lib/table/request-context.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import { behindProxy, faultInTest } from '#tests/support/table-faults.ts';

const PAGES = 7;
const STEP = 10;

const proxy = await behindProxy();

afterAll(() => proxy.stop());

const isQuery = ({ operation }: WireCall) => operation === 'Query';
const isLook = (call: WireCall) => call.operation === 'BatchGetItem' && isHeader(call);

async function made(count: number): Promise<{ readonly pk: string; readonly keys: readonly Key[] }> {
  const pk = `test#${randomUUID()}`;
  const keys = Array.from({ length: count }, (_, index) => ({ pk, sk: String(index).padStart(5, '0') }));
  await transact(keys.map((key) => putNew(key, { n: 0 })));
  return { pk, keys };
}

/** Creates a journal that sets items to 1, and is committed; `end` applies it and closes it. */
async function committed(keys: readonly Key[]) {
  const id = `${String(Date.now()).padStart(15, '0')}-${randomUUID()}`;
  const targets = keys.map((key): Target => ({ key, change: updateOf({ set: { n: 1 } }) }));
  await Promise.all([openJournal(id), recordTargets(id, 'chunk', targets)]);
  await transact(keys.map((key) => put(key, { n: 0, [LOCK]: id }, { if: equals('n', 0) })));
  await commit(id, 1, []);
  const end = async () => {
    await applyAll(id, targets);
    await closeJournal(id);
  };
  return { id, end };
}

test('a walk shows each page as it is when it is read, however many journals end beside it', async () => {
  const { pk, keys } = await made(PAGES * STEP);
  let [page, end] = [0, async () => {}];
  const committing: Fault = async ({ forward, answer }) => {
    const items = keys.slice(page * STEP, (page + 1) * STEP);
    page += 1;
    ({ end } = await committed(items));
    answer(await forward());
  };
  const ending: Fault = async ({ forward, answer }) => {
    await end();
    answer(await forward());
  };
  // A page is read, and read again after its journal's header.
  let asked = 0;
  faultInTest(proxy, (call) => isQuery(call) && asked++ % 2 === 0, committing, { times: PAGES });
  faultInTest(proxy, isLook, ending, { times: PAGES });
  const seen: unknown[] = [];
  for await (const items of walk(pk, STEP)) seen.push(...items.map(({ n }) => n));
  expect(seen).toEqual(keys.map(() => 1));
});

test('a lock of a journal that was over before is passed over at the second look', async () => {
  const { keys } = await made(3);
  const [first, , last] = keys;
  const { id, end } = await committed(keys.slice(0, 1));
  await end();
  const orphan = { pk: first?.pk ?? '', sk: '99999' };
  await transact([put(orphan, { [LOCK]: id })]);
  const warned = vi.spyOn(process, 'emitWarning').mockReturnValue();
  const meter = newMeter();
  const found = await runInContext({ meter }, () => getItems([first, orphan, last]));
  expect(found).toMatchObject([{ n: 1 }, undefined, { n: 0 }]);
  expect(meter.calls).toHaveLength(3);
  expect(warned).toHaveBeenCalledOnce();
});
