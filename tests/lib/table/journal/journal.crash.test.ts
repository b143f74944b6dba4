import { randomUUID } from 'node:crypto';
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { check, put, putNew, remove, replace, update, type Write } from '#lib/table/change/write.ts';
import { dynamo, type Item, tableName } from '#lib/table/client.ts';
import { atLeast, equals } from '#lib/table/expression.ts';
import { getRawItems, LOCK, locksOn } from '#lib/table/items.ts';
import { recoverJournal } from '#lib/table/journal/recovery.ts';
import { type Key, PLATFORM, recordKey } from '#lib/table/keys.ts';
import { listItems } from '#lib/table/list/list.ts';
import { getItems } from '#lib/table/read/get.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import { invalid } from '#lib/values/api-error.ts';
import { splitEvery } from '#lib/values/concurrency.ts';
import { leaseRunsOut } from '#tests/support/clock.ts';
import { withCalls } from '#tests/support/kill-after-calls.ts';

/** It locks its targets in three batches, of which the last is small. */
const SIZE = 205;

type State = 'old' | 'new' | 'mixed';

/** Kind of target: its value before and after, and the write between. */
interface Kind {
  readonly old: number | undefined;
  readonly new: number | undefined;
  readonly write: (key: Key, id: number) => Write;
}

const unchanged = { if: equals('n', 1) };

const made: Kind = { old: undefined, new: 2, write: (key, id) => putNew(key, { id, n: 2 }) };

const replaced: Kind = {
  old: 1,
  new: 2,
  write: (key, id) => replace(key, { id, n: 1 }, { id, n: 2 }, unchanged),
};

const KINDS: readonly Kind[] = [
  made,
  { old: 1, new: 2, write: (key, id) => put(key, { id, n: 2 }, unchanged) },
  { old: 1, new: 2, write: (key) => update(key, { add: { n: 1 } }, { if: atLeast('n', 1) }) },
  replaced,
  { old: 1, new: undefined, write: (key) => remove(key) },
  { old: 1, new: 1, write: (key) => check(key, unchanged) },
  ...[made, replaced, made, replaced, made, replaced],
];

function kindOf(index: number): Kind {
  return KINDS[index % KINDS.length] ?? made;
}

/** Makes targets of all kinds, and the writes that bring each from old to new. */
async function document(size = SIZE) {
  const source = { type: randomUUID(), tenant: PLATFORM };
  const keys = Array.from({ length: size }, (_, index) => recordKey(source.type, source.tenant, index));
  const there = keys.flatMap((key, id) => (kindOf(id).old === undefined ? [] : [putNew(key, { id, n: 1 })]));
  for (const some of splitEvery(there, 100)) await transact(some);
  return { source, keys, writes: keys.map((key, id) => kindOf(id).write(key, id)) };
}

function stateOf(items: readonly (Item | undefined)[], keys: readonly Key[]): State {
  const all = (state: 'old' | 'new') =>
    keys.every(({ sk }, place) => kindOf(Number(sk))[state] === items[place]?.['n']);
  if (all('old')) return 'old';
  return all('new') ? 'new' : 'mixed';
}

/** Returns journals that still lock any of the items. */
async function leftovers(keys: readonly Key[]): Promise<string[]> {
  return locksOn(await getRawItems(keys));
}

/** Reads items that no journal locks any more, so that each is as every reader sees it. */
async function endOf(keys: readonly Key[]): Promise<State> {
  const items = await getRawItems(keys);
  expect(locksOn(items)).toEqual([]);
  return stateOf(items, keys);
}

/** Runs recovery as a writer who meets the locks does, or the sweeper. */
async function sweep(keys: readonly Key[]): Promise<void> {
  await Promise.all((await leftovers(keys)).map(recoverJournal));
}

test('250 writes are all made', async () => {
  const { keys, writes } = await document(250);
  await transact(writes);
  expect(stateOf(await getItems(keys), keys)).toBe('new');
  expect(await leftovers(keys)).toEqual([]);
});

test('ninety-nine writes of known size go with the commit: only the others are ever locked', async () => {
  const pk = `test#${randomUUID()}`;
  const keys = Array.from({ length: 150 }, (_, index): Key => ({ pk, sk: String(index).padStart(4, '0') }));
  for (const some of splitEvery(keys, 75)) await transact(some.map((key) => putNew(key, { n: 1 })));
  const writes = keys.map((key) => replace(key, { n: 1 }, { n: 2 }, unchanged));
  const openRecordTake = 3;
  await withCalls(openRecordTake, () => transact(writes));
  const locked = (await getRawItems(keys)).filter((item) => item?.[LOCK] !== undefined);
  expect(locked.map((item) => item?.['sk'])).toEqual(keys.slice(0, 51).map(({ sk }) => sk));
  leaseRunsOut();
  await transact(writes);
  vi.restoreAllMocks();
  expect(new Set((await getRawItems(keys)).map((item) => item?.['n']))).toEqual(new Set([2]));
  expect(await leftovers(keys)).toEqual([]);
});

/** Calls of a transaction of 105: to measure, to open, to record, to lock, and to commit. */
const CALLS_TO_COMMIT = 5;

/** Whether the table refuses to apply changes together, so that each goes by itself. */
const applied = { isSingly: false };

dynamo.middlewareStack.add(
  (next) => async (args) => {
    const isApplying =
      'TransactItems' in args.input &&
      /"ConditionExpression":"#journal = :v/.test(JSON.stringify(args.input));
    if (applied.isSingly && isApplying) throw new Error('Refused');
    return next(args);
  },
  { step: 'initialize', name: 'singly', override: true },
);

/** Kills a run at every call in turn, several side by side, until one lives to its end. */
async function killedAtEveryCall(attempt: (calls: number) => Promise<boolean>): Promise<void> {
  let calls = 0;
  let lived = false;
  const lane = async () => {
    while (!lived) if (await attempt(calls++)) lived = true;
  };
  await Promise.all([lane(), lane(), lane()]);
}

test.each([
  ['together', SIZE, false],
  ['each by itself', 219, true],
])(
  'a transaction applied %s, killed after any call, is all or nothing for the next caller',
  async (_, size, isSingly) => {
    applied.isSingly = isSingly;
    onTestFinished(() => {
      applied.isSingly = false;
    });
    const outcomes: State[] = [];
    await killedAtEveryCall(async (calls) => {
      const { keys, writes } = await document(size);
      const lived = await withCalls(calls, () => transact(writes));
      const state = stateOf(await getItems(keys), keys);
      expect(state, `killed after ${calls} calls`).not.toBe('mixed');
      leaseRunsOut();
      await sweep(keys);
      expect(await endOf(keys)).toBe(state);
      outcomes[calls] = state;
      return lived;
    });
    // The point of no return lies between: before it no change is visible, after it all are.
    expect(outcomes.indexOf('new')).toBeGreaterThan(4);
    expect(outcomes.slice(outcomes.indexOf('new'))).not.toContain('old');
    if (isSingly) expect(outcomes.length).toBeGreaterThan(((size - 99) / KINDS.length) * 3);
  },
);

test.each([
  ['rolls back', 'old', CALLS_TO_COMMIT - 1],
  ['finishes', 'new', CALLS_TO_COMMIT],
])('a passer-by who %s, killed after any of its calls, leaves it to the next', async (_, state, made) => {
  await killedAtEveryCall(async (calls) => {
    const { keys, writes } = await document(105);
    await withCalls(made, () => transact(writes));
    expect(stateOf(await getItems(keys), keys)).toBe(state);
    leaseRunsOut();
    const lived = await withCalls(calls, () => sweep(keys));
    expect(stateOf(await getItems(keys), keys)).not.toBe('mixed');
    leaseRunsOut();
    await sweep(keys);
    expect(await endOf(keys)).not.toBe('mixed');
    return lived;
  });
});

test('readers never see a part, whenever they look', async () => {
  const { source, keys, writes } = await document(250);
  const changed = keys.filter((_, index) => kindOf(index).new === 2).length;
  const seen: State[] = [];
  let running = true;
  const reader = async () => {
    // The last look begins after the end.
    for (let isLast = false; !isLast; ) {
      isLast = !running;
      const early = stateOf(await getItems(keys.slice(0, 20)), keys.slice(0, 20));
      const late = stateOf(await getItems(keys.slice(-20)), keys.slice(-20));
      expect([early, late]).not.toContain('mixed');
      // Once one part has been seen the others must be seen as well.
      if (early === 'new') expect(late).toBe('new');
      seen.push(early, late);
    }
  };
  const lister = async () => {
    while (running) {
      const where = [equals('n', 2)];
      const sort = { field: 'id', descending: false };
      const page = await listItems(source, { where, sort, page: 1, pageSize: 5 });
      expect([0, changed]).toContain(page.total);
    }
  };
  const readers = Promise.all([reader(), reader(), lister()]);
  await transact(writes);
  running = false;
  await readers;
  expect(new Set(seen)).toEqual(new Set(['old', 'new']));
});

test('a guard that fails anywhere undoes everything, and all failing fields are named', async () => {
  const { keys, writes } = await document(250);
  const failing = [7, 130, 222].map((index) => index - (index % KINDS.length) + 2);
  const guarded = writes.map((write, index) =>
    failing.includes(index)
      ? {
          ...write,
          guard: { if: atLeast('n', 5), otherwise: invalid({ [`products.${index}`]: 'validation.invalid' }) },
        }
      : write,
  );
  const error = await transact(guarded).catch((caught: unknown) => caught);
  expect(error).toMatchObject({
    status: 422,
    fields: Object.fromEntries(failing.map((index) => [`products.${index}`, { key: 'validation.invalid' }])),
  });
  expect(stateOf(await getItems(keys), keys)).toBe('old');
  expect(await leftovers(keys)).toEqual([]);
});

test('two transactions over the same items both come through, one after the other', async () => {
  const pk = `test#${randomUUID()}`;
  const keys = Array.from({ length: 150 }, (_, index): Key => ({ pk, sk: String(index).padStart(4, '0') }));
  const add = (from: number, to: number) => keys.slice(from, to).map((key) => update(key, { add: { n: 1 } }));
  await Promise.all([
    transact(add(0, 120)),
    transact(add(20, 150)),
    transact(add(10, 130)),
    transact(add(60, 70)),
    transact(add(65, 66)),
  ]);
  const counts = (await getItems(keys)).map((item) => Number(item?.['n']));
  const expected = keys.map(
    (_, index) =>
      [
        [0, 120],
        [20, 150],
        [10, 130],
        [60, 70],
        [65, 66],
      ].filter(([from = 0, to = 0]) => from <= index && index < to).length,
  );
  expect(counts).toEqual(expected);
});

test('a lost lease gives the items to the next writer, and the slow owner gives up', async () => {
  const { keys, writes } = await document();
  // The owner is stopped with all its items locked; another writer rolls it back and changes one of them.
  await withCalls(5, () => transact(writes));
  expect(await leftovers(keys)).toHaveLength(1);
  leaseRunsOut();
  await transact([update(keys[2] ?? { pk: '', sk: '' }, { set: { n: 7 } })]);
  vi.restoreAllMocks();
  const [changed, ...rest] = await getItems([keys[2], keys[1], keys[3], keys[0]].flatMap((key) => key ?? []));
  expect(changed).toMatchObject({ n: 7 });
  expect(rest.map((item) => item?.['n'])).toEqual([1, 1, undefined]);
});

test('whatever interleaves, with processes killed anywhere, sums and guards hold', async () => {
  const transfer = fc.record({
    from: fc.integer({ min: 0, max: 7 }),
    to: fc.integer({ min: 0, max: 7 }),
    amount: fc.integer({ min: 1, max: 40 }),
    isLarge: fc.boolean(),
    calls: fc.option(fc.integer({ min: 1, max: 14 }), { nil: 1000 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(transfer, { minLength: 2, maxLength: 6 }), async (transfers) => {
      const pk = `test#${randomUUID()}`;
      const accounts = Array.from({ length: 8 }, (_, index): Key => ({ pk, sk: `account-${index}` }));
      await transact(accounts.map((key) => putNew(key, { n: 50 })));
      await Promise.all(
        transfers.map(({ from, to, amount, isLarge, calls }, which) => {
          const [source, target] = [accounts[from], accounts[to]];
          if (!source || !target || from === to) return true;
          const others = Array.from({ length: isLarge ? 110 : 0 }, (_, index) =>
            putNew({ pk, sk: `line-${which}-${index}` }, { n: 0 }),
          );
          const moves = [
            update(source, { add: { n: -amount } }, { if: atLeast('n', amount) }),
            update(target, { add: { n: amount } }),
          ];
          return withCalls(calls, () => transact([...moves, ...others]).catch(() => {}));
        }),
      );
      leaseRunsOut();
      const balances = (await getItems(accounts)).map((item) => Number(item?.['n']));
      vi.restoreAllMocks();
      expect(balances.reduce((sum, balance) => sum + balance, 0)).toBe(400);
      expect(Math.min(...balances)).toBeGreaterThanOrEqual(0);
    }),
    { numRuns: 15 },
  );
});

test('a finished journal leaves only expiring items in the table', async () => {
  const { keys, writes } = await document();
  const sent = vi.spyOn(dynamo, 'send');
  await transact(writes);
  const text = JSON.stringify(sent.mock.calls.map(([command]) => command.input));
  const [, id] = /"pk":"(journal#[^"]+)"/.exec(text) ?? [];
  vi.restoreAllMocks();
  const left = await dynamo.send(
    new QueryCommand({
      TableName: tableName(),
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': id },
    }),
  );
  expect(left.Items?.length).toBeGreaterThan(0);
  for (const item of left.Items ?? []) expect(item).toMatchObject({ expires_at: expect.any(Number) });
  expect(await leftovers(keys)).toEqual([]);
});
