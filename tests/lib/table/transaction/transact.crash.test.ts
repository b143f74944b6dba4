import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, expect, test, vi } from 'vitest';
import {
  answerError,
  arriveOffline,
  delay,
  dropAnswer,
  errorAnswer,
  type Fault,
  repeatLater,
} from '#bench/chaos/fault.ts';
import { isCommit, isHeader, type WireCall } from '#bench/chaos/table-call.ts';
import { put, putNew, replace, update, type Write } from '#lib/table/change/write.ts';
import { dynamo, tableName } from '#lib/table/client.ts';
import { withDeadline } from '#lib/table/deadline.ts';
import { equals } from '#lib/table/expression.ts';
import { getRawItems, LOCK, locksOn } from '#lib/table/items.ts';
import { recoverItems, recoverJournal } from '#lib/table/journal/recovery.ts';
import type { Key } from '#lib/table/keys.ts';
import { getItem, getItems } from '#lib/table/read/get.ts';
import { newMeter, runInContext } from '#lib/table/request-context.ts';
import { Contention, retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { checksOf } from '#tests/support/checks.ts';
import { leaseRunsOut } from '#tests/support/clock.ts';
import { withCalls } from '#tests/support/kill-after-calls.ts';
import { behindProxy, faultInTest } from '#tests/support/table-faults.ts';

const proxy = await behindProxy();

afterAll(() => proxy.stop());

function newKeys(count: number): Key[] {
  const pk = `test#${randomUUID()}`;
  return Array.from({ length: count }, (_, index) => ({ pk, sk: String(index).padStart(5, '0') }));
}

/**
 * Adds one to each item. Every other write is unconditional: a second execution shows. The others write a
 * computed value: a late execution shows.
 */
function oneMore(keys: readonly Key[], from = 0): Write[] {
  return keys.map((key, index) => {
    if (index % 2 === 0) return update(key, { add: { n: 1 } });
    return replace(key, { n: from }, { n: from + 1 }, { if: equals('n', from) });
  });
}

/** Matches calls that apply committed changes to these items. */
function applying(keys: readonly Key[]) {
  return (call: WireCall) =>
    ['UpdateItem', 'TransactWriteItems'].includes(call.operation) &&
    !isHeader(call) &&
    call.keys.every(({ pk }) => pk === keys[0]?.pk);
}

async function numbersAt(keys: readonly Key[]): Promise<unknown[]> {
  return [...new Set((await getItems(keys)).map((item) => item?.['n']))];
}

async function made(keys: readonly Key[]): Promise<readonly Key[]> {
  for (let from = 0; from < keys.length; from += 100) {
    await transact(keys.slice(from, from + 100).map((key) => putNew(key, { n: 0, version: 1 })));
  }
  return keys;
}

test.each([
  ['is lost', dropAnswer],
  ['is a 500', answerError({ isDone: true })],
])('a large transaction whose commit was made and whose answer %s is made once', async (_, fault) => {
  const keys = await made(newKeys(120));
  const rule = faultInTest(proxy, isCommit, fault);
  await transact(oneMore(keys));
  expect(rule.count).toBe(1);
  expect(await numbersAt(keys)).toEqual([1]);
});

test('a large transaction of new items whose response is lost is reported as made', async () => {
  const keys = newKeys(120);
  faultInTest(proxy, isCommit, dropAnswer, { times: 3 });
  await transact(keys.map((key) => putNew(key, { n: 1 })));
  expect(await numbersAt(keys)).toEqual([1]);
});

test('a transaction that met a lock, and of which a copy went through late, is reported as made', async () => {
  const [key] = await made(newKeys(1));
  if (!key) throw new Error('No item was made');
  const address = { TableName: tableName(), Key: key };
  await dynamo.send(
    new UpdateCommand({
      ...address,
      UpdateExpression: 'SET #lock = :lock',
      ExpressionAttributeNames: { '#lock': LOCK },
      ExpressionAttributeValues: { ':lock': randomUUID() },
    }),
  );
  const isTransaction = ({ operation }: WireCall) => operation === 'TransactWriteItems';
  const rule = faultInTest(proxy, isTransaction, async ({ forward, answer }) => {
    const refused = await forward();
    await dynamo.send(
      new UpdateCommand({
        ...address,
        UpdateExpression: 'REMOVE #lock',
        ExpressionAttributeNames: { '#lock': LOCK },
      }),
    );
    await forward();
    answer(refused);
  });
  await transact([replace(key, { n: 0 }, { n: 1 }, { if: equals('n', 0) })]);
  expect(rule.count).toBe(1);
  expect(await numbersAt([key])).toEqual([1]);
});

test.each([[['ThrottlingError', 'None']], [['None', 'ProvisionedThroughputExceeded']]])(
  'a transaction of which the table was too busy for an item (%s) is tried again, and made once',
  async (codes) => {
    const keys = await made(newKeys(2));
    const CancellationReasons = codes.map((Code) => ({ Code }));
    const isTaking = ({ operation }: WireCall) => operation === 'TransactWriteItems';
    const refused: Fault = async ({ answer }) =>
      answer(errorAnswer('TransactionCanceledException', { CancellationReasons }));
    const rule = faultInTest(proxy, isTaking, refused, { times: 2 });
    await transact(oneMore(keys));
    expect(rule.count).toBe(2);
    expect(await numbersAt(keys)).toEqual([1]);
  },
);

test('a header that comes late or twice turns nothing back', async () => {
  const keys = await made(newKeys(250));
  const isOpening = (call: WireCall) => call.operation === 'PutItem' && isHeader(call);
  faultInTest(proxy, isOpening, arriveOffline(600));
  const isLast = ({ keys: [key] }: WireCall) => Number(key?.sk) >= 100;
  const isApplied = (call: WireCall) => applying(keys)(call) && isLast(call);
  faultInTest(proxy, isApplied, delay(1500), { times: 50 });
  const told = transact(oneMore(keys));
  await pause(1000);
  const locks = locksOn(await getRawItems(keys));
  leaseRunsOut();
  await Promise.all(locks.map((lock) => recoverItems(lock, keys)));
  vi.restoreAllMocks();
  await told;
  await proxy.idle();
  expect(await numbersAt(keys)).toEqual([1]);
  expect(locksOn(await getRawItems(keys))).toEqual([]);
});

test('whatever requests come twice or late, each transaction is made once', async () => {
  const keys = await made(newKeys(130));
  faultInTest(proxy, ({ isWrite }) => isWrite, repeatLater(300), { times: 5000, share: 0.5 });
  faultInTest(proxy, ({ isWrite }) => isWrite, dropAnswer, { times: 5000, share: 0.03 });
  for (let round = 0; round < 3; round++) {
    const from = 2 * round;
    await transact(oneMore(keys, from));
    const [few, many] = [keys.slice(0, 60), keys.slice(60)];
    await Promise.all([few, many].map((some) => transact(oneMore(some, from + 1))));
  }
  await proxy.idle();
  expect(await numbersAt(keys)).toEqual([6]);
  expect(locksOn(await getRawItems(keys))).toEqual([]);
});

test('nothing fails after the commit: a change that cannot be applied at once is left to passers-by', async () => {
  const keys = await made(newKeys(150));
  const busy = answerError({ name: 'ProvisionedThroughputExceededException' });
  const throttled = faultInTest(proxy, applying(keys), busy, { times: 10_000 });
  const warned = vi.spyOn(process, 'emitWarning').mockReturnValue();
  await transact(oneMore(keys));
  expect(warned).toHaveBeenCalledWith(expect.stringContaining('committed, but not all of it is applied yet'));
  warned.mockRestore();
  expect(await numbersAt(keys)).toEqual([1]);
  throttled.off();
  await Promise.all(locksOn(await getRawItems(keys)).map(recoverJournal));
  expect(locksOn(await getRawItems(keys))).toEqual([]);
  expect(await numbersAt(keys)).toEqual([1]);
});

test.each([
  ['is lost', dropAnswer],
  ['is a refusal', answerError({ name: 'AccessDeniedException' })],
  ['says that the table is busy', answerError({ name: 'ThrottlingException' })],
])('if the answer to a hundred changes %s, each change is made by itself', async (_, fault) => {
  const keys = await made(newKeys(250));
  const isTogether = (call: WireCall) => call.operation === 'TransactWriteItems' && applying(keys)(call);
  const rule = faultInTest(proxy, isTogether, fault, { times: 10_000 });
  await transact(oneMore(keys));
  expect(rule.count).toBeGreaterThanOrEqual(2);
  expect(await numbersAt(keys)).toEqual([1]);
  expect(locksOn(await getRawItems(keys))).toEqual([]);
});

test('a change that cannot be made to one item holds up none of the others', async () => {
  const keys = await made(newKeys(150));
  const [odd, ...others] = keys;
  if (!odd) return;
  await transact([put(odd, { n: 'no number' })]);
  const warned = vi.spyOn(process, 'emitWarning').mockReturnValue();
  await transact(oneMore(keys));
  warned.mockRestore();
  expect(locksOn(await getRawItems(others))).toEqual([]);
  expect(await numbersAt(others)).toEqual([1]);
});

test.each([1, 120])(
  'an item of more than 380 KB among %i is 400 before anything is written',
  async (count) => {
    const keys = newKeys(count);
    const text = 'x'.repeat(390_000);
    const error = await transact(
      keys.map((key, index) => putNew(key, index === 0 ? { text } : { n: 1 })),
    ).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ status: 400, phrase: { key: 'document.too_large' } });
    expect((await getRawItems(keys)).filter(Boolean)).toEqual([]);
  },
);

test('an item that grows over the table’s limit is 400, and not "try again"', async () => {
  const [key] = newKeys(1);
  if (!key) return;
  await transact([putNew(key, { text: 'x'.repeat(370_000) })]);
  const error = await transact([update(key, { set: { more: 'x'.repeat(100_000) } })]).catch(
    (caught: unknown) => caught,
  );
  expect(error).toMatchObject({ status: 400, phrase: { key: 'document.too_large' } });
});

test('a lock of a missing journal is dropped after a few looks', async () => {
  const [key] = await made(newKeys(1));
  if (!key) return;
  await dynamo.send(await lockingOf(key));
  const warned = vi.spyOn(process, 'emitWarning').mockReturnValue();
  const reader = newMeter();
  expect(await runInContext({ meter: reader }, () => getItem(key))).toMatchObject({ n: 0 });
  expect(reader.calls.length).toBeLessThanOrEqual(12);
  const writer = newMeter();
  await runInContext({ meter: writer }, () =>
    transact([update(key, { add: { n: 1 } }, { if: equals('n', 0) })]),
  );
  expect(writer.calls.length).toBeLessThanOrEqual(30);
  expect(warned).toHaveBeenCalled();
  warned.mockRestore();
  expect(await getRawItems([key])).toMatchObject([{ n: 1 }]);
});

async function lockingOf(key: Key) {
  const { UpdateCommand } = await import('@aws-sdk/lib-dynamodb');
  return new UpdateCommand({
    TableName: 'retail',
    Key: { ...key },
    UpdateExpression: 'SET #lock = :lock',
    ExpressionAttributeNames: { '#lock': LOCK },
    ExpressionAttributeValues: { ':lock': `000000000000001-${randomUUID()}` },
  });
}

test.each(['committed', 'preparing'])(
  'who meets one item of a dead %s journal of 1 000 heals that one',
  async (state) => {
    const keys = await made(newKeys(1000));
    const calls = await callsUntil(state === 'committed');
    await withCalls(calls, () => transact(oneMore(keys)));
    const [key] = keys.slice(500);
    if (!key) return;
    leaseRunsOut();
    const meter = newMeter();
    await runInContext({ meter }, () => transact([update(key, { add: { n: 10 } })]));
    vi.restoreAllMocks();
    expect(meter.calls.length).toBeLessThanOrEqual(8);
    expect(await getRawItems([key])).toMatchObject([{ n: state === 'committed' ? 11 : 10 }]);
    expect(locksOn(await getRawItems(keys))).toHaveLength(1);
  },
);

/** Counts the calls of a transaction of 1 000 until its items are locked, or until it is also committed. */
async function callsUntil(isCommitted: boolean): Promise<number> {
  callsToCommit ??= countCallsToCommit();
  return (await callsToCommit) + (isCommitted ? 1 : 0);
}

let callsToCommit: Promise<number> | undefined;

async function countCallsToCommit(): Promise<number> {
  const keys = await made(newKeys(1000));
  const meter = newMeter();
  const commits = faultInTest(proxy, isCommit, async ({ forward, answer }) => {
    atCommit = meter.calls.length;
    answer(await forward());
  });
  let atCommit = 0;
  await runInContext({ meter }, () => transact(oneMore(keys)));
  expect(commits.count).toBe(1);
  return atCommit;
}

test('a large document comes through at the second attempt, whatever changes its items meanwhile', async () => {
  const keys = await made(newKeys(300));
  let [isOver, attempts, small] = [false, 0, 0];
  const others = Array.from({ length: 4 }, async () => {
    while (!isOver) {
      const key = keys[Math.floor(Math.random() * keys.length)];
      if (key) await retryOnContention(() => moreFor([key]));
      small += 1;
    }
  });
  await retryOnContention(async () => {
    attempts += 1;
    await moreFor(keys);
  });
  isOver = true;
  await Promise.all(others);
  expect(attempts).toBeLessThanOrEqual(2);
  const sum = (await getItems(keys)).reduce((total, item) => total + Number(item?.['n']), 0);
  expect(sum).toBe(300 + small);
  expect(locksOn(await getRawItems(keys))).toEqual([]);
});

/** Adds one to each item, computed from the read value. */
async function moreFor(keys: readonly Key[]): Promise<void> {
  const items = await getItems(keys);
  await transact(
    keys.map((key, index) => {
      const version = Number(items[index]?.['version']);
      const after = { n: Number(items[index]?.['n']) + 1, version: version + 1 };
      const unchanged = { if: equals('version', version) };
      return index % 2 === 0
        ? put(key, after, unchanged)
        : replace(key, { ...items[index] }, after, unchanged);
    }),
  );
}

test('work under a reservation that writes nothing gives the items back', async () => {
  const keys = await made(newKeys(130));
  let attempts = 0;
  await retryOnContention(async () => {
    attempts += 1;
    if (attempts === 1) throw new Contention(checksOf(keys));
  });
  expect(attempts).toBe(2);
  expect(locksOn(await getRawItems(keys))).toEqual([]);
});

test('a reserving owner killed at any call leaves all or nothing, and the items free', async () => {
  let lived = false;
  for (let calls = 1; !lived; calls += 7) {
    const keys = await made(newKeys(130));
    let attempts = 0;
    lived = await withCalls(calls, () =>
      retryOnContention(async () => {
        attempts += 1;
        if (attempts === 1) throw new Contention(checksOf(keys));
        await moreFor(keys);
      }),
    );
    const seen = await numbersAt(keys);
    expect([[0], [1]]).toContainEqual(seen);
    leaseRunsOut();
    await Promise.all(locksOn(await getRawItems(keys)).map(recoverJournal));
    vi.restoreAllMocks();
    expect(await numbersAt(keys)).toEqual(seen);
    expect(locksOn(await getRawItems(keys))).toEqual([]);
  }
});

test('nothing is written once the time of a call is over, or once it was answered', async () => {
  const keys = await made(newKeys(2));
  const [late, left] = keys;
  if (!late || !left) return;
  let stillWriting: Promise<unknown> | undefined;
  const began = performance.now();
  const error = await withDeadline(4000, async () => {
    stillWriting = pause(4500).then(() => transact([update(left, { add: { n: 1 } })]));
    faultInTest(proxy, ({ operation }) => operation === 'TransactWriteItems', answerError(), {
      times: 10_000,
    });
    return transact([update(late, { add: { n: 1 } })]);
  }).catch((caught: unknown) => caught);
  expect(error).toMatchObject({ status: 503, retryAfter: 1 });
  expect(performance.now() - began).toBeLessThan(4000);
  await expect(stillWriting).rejects.toMatchObject({ status: 503 });
  await proxy.idle();
  expect(await numbersAt(keys)).toEqual([0]);
});

test('a writer who waits for a large transaction gets 503 in time, and writes nothing when it ends', async () => {
  const keys = await made(newKeys(130));
  const gate = Promise.withResolvers<void>();
  faultInTest(proxy, isCommit, delay(gate.promise), { times: 50 });
  const large = transact(oneMore(keys));
  await pause(800);
  const [key] = keys;
  if (!key) return;
  const error = await withDeadline(4000, () => transact([update(key, { add: { n: 10 } })])).catch(
    (caught: unknown) => caught,
  );
  expect(error).toMatchObject({ status: 503 });
  gate.resolve();
  await large;
  await pause(600);
  expect(await numbersAt(keys)).toEqual([1]);
});
