import { randomUUID } from 'node:crypto';
import {
  BatchGetCommand,
  PutCommand,
  QueryCommand,
  type QueryCommandInput,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import type { EngineName } from '#bin/local/database/engine.ts';
import { tableName } from '#lib/table/client.ts';
import { padId } from '#lib/table/keys.ts';
import { mapConcurrent } from '#lib/values/concurrency.ts';
import { ENGINES, errorOf, useEngine } from '#tests/support/engines.ts';

/* Reads of items, as `lib/table/read` and `items.ts` make them, on each engine. */

const INVALID = 'ValidationException';

/** Number of items of 300 KB in a response: it ends before, or after, the one that exceeds a megabyte. */
const IN_A_MEGABYTE: Readonly<Record<EngineName, number>> = { dynoxide: 3, 'dynamodb-local': 4 };

/** Items of 300 KB that one query examines if none of them passes its filter: on AWS as many as without. */
const FILTERED_AT_ONCE: Readonly<Record<EngineName, number>> = { dynoxide: 3, 'dynamodb-local': 6 };

/** An unused expression value in addition to a failing condition: AWS refuses the request. */
const UNUSED_VALUE: Readonly<Record<EngineName, string>> = {
  dynoxide: 'ConditionalCheckFailedException',
  'dynamodb-local': INVALID,
};

/** A hundred and one values of an IN: AWS refuses them. */
const MANY_OPERANDS: Readonly<Record<EngineName, string>> = {
  dynoxide: 'ConditionalCheckFailedException',
  'dynamodb-local': INVALID,
};

describe.each(ENGINES)('$name', (engine) => {
  const served = useEngine(engine);

  function query(pk: string, given: Partial<QueryCommandInput> = {}) {
    return served().client.send(
      new QueryCommand({
        TableName: tableName(),
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': pk },
        ConsistentRead: true,
        ...given,
      }),
    );
  }

  /** Creates items of a number of bytes in a partition. */
  async function filled(count: number, bytes: number) {
    const pk = `test#${randomUUID()}`;
    const ids = Array.from({ length: count }, (_, index) => index + 1);
    await mapConcurrent(ids, 10, (id) =>
      served().put({ pk, sk: padId(id) }, { id, text: 'x'.repeat(bytes) }),
    );
    return pk;
  }

  test('an item comes back as it was written: empty texts, bytes, empty lists, and numbers to the last digit', async () => {
    const item = {
      pk: `test#${randomUUID()}`,
      sk: 'Ўзбекча 😀',
      empty: '',
      bytes: new Uint8Array([0, 255]),
      lists: { none: [], mixed: [1, '', null, { a: false }], map: {} },
      largest: Number.MAX_SAFE_INTEGER,
      sum: 12_345_678_901.12,
      small: -0.000_000_01,
      absent: undefined,
    };
    await served().put(item, item);
    const { absent, ...kept } = item;
    expect(await served().read({ pk: item.pk, sk: item.sk })).toEqual(kept);
  });

  test('what is added is added in decimals', async () => {
    const key = { pk: `test#${randomUUID()}`, sk: '1' };
    const add = async (value: number) => {
      const { Attributes } = await served().client.send(
        new UpdateCommand({
          TableName: tableName(),
          Key: key,
          UpdateExpression: 'ADD #n :n',
          ExpressionAttributeNames: { '#n': 'n' },
          ExpressionAttributeValues: { ':n': value },
          ReturnValues: 'UPDATED_NEW',
        }),
      );
      return Attributes;
    };
    expect(await add(0.1)).toEqual({ n: 0.1 });
    expect(await add(0.2)).toEqual({ n: 0.3 });
    expect(await add(99_999_999_999.4)).toEqual({ n: 99_999_999_999.7 });
  });

  test('a query goes both ways in the order of keys, so many at a time, and tells an end that may be the last', async () => {
    const pk = await filled(3, 1);
    const idsOf = (items: readonly Record<string, unknown>[] = []) => items.map(({ id }) => id);
    const up = await query(pk, { Limit: 2 });
    expect([idsOf(up.Items), up.LastEvaluatedKey]).toEqual([[1, 2], { pk, sk: padId(2) }]);
    const rest = await query(pk, { Limit: 1, ExclusiveStartKey: up.LastEvaluatedKey });
    expect([idsOf(rest.Items), rest.LastEvaluatedKey]).toEqual([[3], { pk, sk: padId(3) }]);
    const down = await query(pk, { ScanIndexForward: false });
    expect([idsOf(down.Items), down.LastEvaluatedKey]).toEqual([[3, 2, 1], undefined]);
    const between = await query(pk, {
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
      ExpressionAttributeValues: { ':pk': pk, ':from': padId(2), ':to': padId(9) },
    });
    expect(idsOf(between.Items)).toEqual([2, 3]);
  });

  test('a filter comes after the limit, and a projection reaches into what it names', async () => {
    const pk = await filled(2, 1);
    await served().put({ pk, sk: padId(3) }, { id: 3, folded: { name: 'чай', code: 'x' } });
    const found = await query(pk, {
      FilterExpression: 'contains(#folded.#name, :part)',
      ProjectionExpression: '#id, #folded.#name',
      ExpressionAttributeNames: { '#folded': 'folded', '#name': 'name', '#id': 'id' },
      ExpressionAttributeValues: { ':pk': pk, ':part': 'ча' },
      Limit: 3,
    });
    expect(found).toMatchObject({ Count: 1, ScannedCount: 3, Items: [{ id: 3, folded: { name: 'чай' } }] });
    expect(found.Items?.[0]).not.toHaveProperty('folded.code');
  });

  test('an answer is of a megabyte, and tells where it ends', async () => {
    const pk = await filled(6, 300_000);
    const count = IN_A_MEGABYTE[engine.name];
    const whole = await query(pk);
    expect(whole.Items).toHaveLength(count);
    expect(whole.LastEvaluatedKey).toEqual({ pk, sk: padId(count) });
    const filtered = await query(pk, { FilterExpression: 'attribute_exists(unheard_of)' });
    const looked = FILTERED_AT_ONCE[engine.name];
    expect(filtered.Count).toBe(0);
    expect(filtered.LastEvaluatedKey).toEqual(looked < 6 ? { pk, sk: padId(looked) } : undefined);
  });

  test('a batch leaves unread what comes after 16 MB; it has a hundred keys at most, each once', async () => {
    const pk = await filled(50, 390_000);
    const read = (ids: readonly number[]) =>
      served().client.send(
        new BatchGetCommand({
          RequestItems: {
            [tableName()]: { Keys: ids.map((id) => ({ pk, sk: padId(id) })), ConsistentRead: true },
          },
        }),
      );
    const hundred = Array.from({ length: 100 }, (_, index) => index + 1);
    const { Responses, UnprocessedKeys } = await read(hundred);
    const items = Responses?.[tableName()] ?? [];
    const left = UnprocessedKeys?.[tableName()]?.Keys ?? [];
    expect(items.length).toBeLessThan(50);
    expect(items.length + left.filter(({ sk }) => Number(sk) <= 50).length).toBe(50);
    expect(await errorOf(read([...hundred, 101]))).toBe(INVALID);
    expect(await errorOf(read([1, 1]))).toBe(INVALID);
  });

  test.each([
    ['superfluous parentheses', '((attribute_exists(pk)))', undefined],
    ['a reserved word that is no placeholder', 'attribute_exists(name)', undefined],
    ['empty values', 'attribute_exists(pk)', {}],
    ['a value that is not used, if it holds', 'attribute_not_exists(pk)', { ':v': 1 }],
  ])('a condition with %s is refused', async (_, ConditionExpression, values) => {
    expect(await errorOf(putUnder(ConditionExpression, values))).toBe(INVALID);
  });

  test('a condition that fails, with a value that is not used', async () => {
    expect(await errorOf(putUnder('attribute_exists(pk)', { ':v': 1 }))).toBe(UNUSED_VALUE[engine.name]);
  });

  test('a condition of 101 values', async () => {
    const values = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`:v${index}`, index]));
    const condition = `n IN (${Object.keys(values).join(', ')})`;
    expect(await errorOf(putUnder(condition, values))).toBe(MANY_OPERANDS[engine.name]);
  });

  function putUnder(ConditionExpression: string, values: Record<string, unknown> | undefined) {
    return served().client.send(
      new PutCommand({
        TableName: tableName(),
        Item: { pk: `test#${randomUUID()}`, sk: '1' },
        ConditionExpression,
        ...(values && { ExpressionAttributeValues: values }),
      }),
    );
  }

  test('a projection of a path and a part of it is refused, and so are a sort key of 1025 bytes and an empty one', async () => {
    expect(await errorOf(query('none', { ProjectionExpression: 'folded, folded.ru' }))).toBe(INVALID);
    const key = (sk: string) => ({ pk: `test#${randomUUID()}`, sk });
    expect(await errorOf(served().put(key('x'.repeat(1024))))).toBeUndefined();
    expect(await errorOf(served().put(key('x'.repeat(1025))))).toBe(INVALID);
    expect(await errorOf(served().put(key('')))).toBe(INVALID);
  });
});
