import { randomUUID } from 'node:crypto';
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import type { EngineName } from '#bin/local/database/engine.ts';
import { actionOf, type Change, updateOf } from '#lib/table/change/change.ts';
import { tableName } from '#lib/table/client.ts';
import { absent, type Expression, equals, present } from '#lib/table/expression.ts';
import type { Key } from '#lib/table/keys.ts';
import { ENGINES, errorOf, useEngine } from '#tests/support/engines.ts';

/*
 * Transactions, as `lib/table/change/send.ts` sends them and reads their errors, on each engine of the local
 * table. The expectations for AWS are from its documentation.
 */

const INVALID = 'ValidationException';
const CANCELED = 'TransactionCanceledException';

/** Two operations on one item: AWS rejects the request for any conditions. Decisions of ours, 58. */
const TWICE: Readonly<Record<EngineName, { readonly holding: string; readonly failing: string }>> = {
  dynoxide: { holding: INVALID, failing: INVALID },
  'dynamodb-local': { holding: INVALID, failing: CANCELED },
};

/** An update without changes: AWS rejects it. */
const UPDATE_OF_NOTHING: Readonly<Record<EngineName, string | undefined>> = {
  dynoxide: undefined,
  'dynamodb-local': INVALID,
};

const CHECK: Change = { kind: 'check' };
const LARGE = 390_000;

const keysFor = (count: number): Key[] => {
  const pk = `test#${randomUUID()}`;
  return Array.from({ length: count }, (_, index) => ({ pk, sk: String(index).padStart(5, '0') }));
};
const keyFor = (): Key => ({ pk: `test#${randomUUID()}`, sk: '1' });
const putOf = (key: Key, item: object = {}, ...conditions: Expression[]) =>
  actionOf(key, { kind: 'put', item: { ...item } }, conditions.length > 0 ? conditions : [absent('journal')]);
const addOf = (key: Key, ...conditions: Expression[]) =>
  actionOf(key, updateOf({ add: { n: 1 } }), conditions.length > 0 ? conditions : [absent('journal')]);

describe.each(ENGINES)('$name', (engine) => {
  const served = useEngine(engine);

  /** Reads why a transaction was canceled: each action's code, and its item as it was. */
  async function reasonsOf(work: Promise<unknown>) {
    const error: unknown = await work.then(
      () => undefined,
      (caught: unknown) => caught,
    );
    if (!(error instanceof TransactionCanceledException)) throw error;
    return (error.CancellationReasons ?? []).map(({ Code, Item }) => ({
      Code,
      journal: Item?.['journal']?.S,
    }));
  }

  test('each action’s failure is at its place, with its item as it was, and nothing is written', async () => {
    const { put, read, transact } = served();
    const [made, taken, gone, free, fresh] = keysFor(5);
    if (!made || !taken || !gone || !free || !fresh) throw new Error('No keys');
    await Promise.all([put(made, { n: 1 }), put(taken, { n: 1, journal: 'j1' }), put(free, { n: 1 })]);
    const reasons = await reasonsOf(
      transact([
        putOf(fresh),
        addOf(taken),
        actionOf(gone, CHECK, [present('pk')]),
        addOf(made),
        putOf(free, {}, absent('pk')),
        actionOf({ ...taken, sk: 'x' }, { kind: 'remove' }, [equals('n', 2)]),
      ]),
    );
    expect(reasons).toEqual([
      { Code: 'None' },
      { Code: 'ConditionalCheckFailed', journal: 'j1' },
      { Code: 'ConditionalCheckFailed' },
      { Code: 'None' },
      { Code: 'ConditionalCheckFailed' },
      { Code: 'ConditionalCheckFailed' },
    ]);
    expect(await read(fresh)).toBeUndefined();
    expect(await read(made)).toMatchObject({ n: 1 });
  });

  test('two operations on one item are refused, and nothing is written', async () => {
    const { read, transact } = served();
    const key = keyFor();
    const { holding, failing } = TWICE[engine.name];
    expect(await errorOf(transact([putOf(key, { n: 1 }), addOf(key)]))).toBe(holding);
    const fails = actionOf(key, CHECK, [equals('n', 2)]);
    expect(await errorOf(transact([putOf(key, { n: 1 }, absent('pk')), fails]))).toBe(failing);
    expect(await read(key)).toBeUndefined();
  });

  test('an update of nothing', async () => {
    const nothing = actionOf(keyFor(), updateOf({}), [absent('journal')]);
    expect(await errorOf(served().transact([nothing]))).toBe(UPDATE_OF_NOTHING[engine.name]);
  });

  test('a hundred actions are made, one more is refused', async () => {
    const { read, transact } = served();
    const keys = keysFor(101);
    expect(await errorOf(transact(keys.map((key) => putOf(key))))).toBe(INVALID);
    expect(await errorOf(transact(keys.slice(1).map((key) => putOf(key))))).toBeUndefined();
    expect(await read({ pk: keys[0]?.pk ?? '', sk: '00100' })).toBeDefined();
  });

  test('4 MB that are put are refused; what items hold already is not counted, as on AWS it is', async () => {
    const { transact } = served();
    const keys = keysFor(11);
    const put = (key: Key) => putOf(key, { text: 'x'.repeat(LARGE) });
    expect(await errorOf(transact(keys.map(put)))).toBe(INVALID);
    expect(await errorOf(transact(keys.slice(0, 10).map(put)))).toBeUndefined();
    expect(await errorOf(transact(keys.slice(10).map(put)))).toBeUndefined();
    expect(await errorOf(transact(keys.map((key) => addOf(key))))).toBeUndefined();
  });

  test('an item of more than 400 KB is refused: a put as the request, an update as a reason that tells of size', async () => {
    const { put, transact } = served();
    const key = keyFor();
    const max = 409_600 - Buffer.byteLength(`pk${key.pk}sk${key.sk}text`);
    expect(await errorOf(put(key, { text: 'x'.repeat(max + 1) }))).toBe(INVALID);
    expect(await errorOf(put(key, { text: 'x'.repeat(max) }))).toBeUndefined();
    expect(await errorOf(transact([putOf(key, { text: 'x'.repeat(max + 1) })]))).toBe(INVALID);
    await expect(transact([putOf(keyFor()), addOf(key)])).rejects.toMatchObject({
      name: CANCELED,
      CancellationReasons: [
        { Code: 'None' },
        { Code: 'ValidationError', Message: expect.stringMatching(/size/i) },
      ],
    });
  });

  test('one token makes the same actions once, and refuses others; what failed may be tried again with it', async () => {
    const { put, read, transact } = served();
    const [key, other, late] = [keyFor(), keyFor(), keyFor()];
    const token = { ClientRequestToken: randomUUID() };
    await transact([addOf(key)], token);
    await transact([addOf(key)], token);
    expect(await read(key)).toMatchObject({ n: 1 });
    expect(await errorOf(transact([addOf(other)], token))).toBe('IdempotentParameterMismatchException');

    const again = { ClientRequestToken: randomUUID() };
    expect(await errorOf(transact([addOf(late, present('pk'))], again))).toBe(CANCELED);
    await put(late, { n: 1 });
    await transact([addOf(late, present('pk'))], again);
    expect(await read(late)).toMatchObject({ n: 2 });
  });

  test('what wants one item at once takes turns: no engine has a conflict, as AWS has', async () => {
    const { client, read, transact } = served();
    const key = keyFor();
    const single = () =>
      client.send(
        new UpdateCommand({
          TableName: tableName(),
          Key: { ...key },
          UpdateExpression: 'ADD n :one',
          ExpressionAttributeValues: { ':one': 1 },
        }),
      );
    const errors = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        errorOf(index % 2 ? single() : transact([addOf(key), putOf(keyFor())])),
      ),
    );
    expect([...new Set(errors)]).toEqual([undefined]);
    expect(await read(key)).toMatchObject({ n: 40 });
  });

  test('a single write whose condition fails brings its item as it was', async () => {
    const { client, put } = served();
    const key = keyFor();
    await put(key, { n: 1 });
    const { Update } = addOf(key, equals('n', 2));
    if (!Update) throw new Error('No update');
    await expect(client.send(new UpdateCommand(Update))).rejects.toMatchObject({
      name: 'ConditionalCheckFailedException',
      Item: { n: { N: '1' } },
    });
  });
});
