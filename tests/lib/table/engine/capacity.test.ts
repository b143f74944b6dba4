import { randomUUID } from 'node:crypto';
import type { ConsumedCapacity } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import type { EngineName } from '#bin/local/database/engine.ts';
import { actionOf, updateOf } from '#lib/table/change/change.ts';
import { tableName } from '#lib/table/client.ts';
import { absent, present } from '#lib/table/expression.ts';
import type { Key } from '#lib/table/keys.ts';
import { ENGINES, type ServedTable, useEngine } from '#tests/support/engines.ts';

/* Consumed capacity as reported by each engine, compared with AWS's documented billing. */

/** An engine, an item of five kilobytes and one of a few bytes, and one that is not there. */
interface Scene extends ServedTable {
  readonly large: Key;
  readonly small: Key;
  readonly none: Key;
}

const TEXT = { text: 'x'.repeat(5000) };
const TOTAL = { ReturnConsumedCapacity: 'TOTAL' } as const;

type Told = Promise<{ readonly ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[] | undefined }>;
type Case = readonly [
  what: string,
  aws: number,
  work: (scene: Scene) => Told,
  differing?: Partial<Record<EngineName, number>>,
];

const place = (key: Key) => ({ TableName: tableName(), Key: { ...key }, ...TOTAL });
const newItem = (key: Key, item: object = {}) => ({
  TableName: tableName(),
  Item: { ...item, ...key },
  ...TOTAL,
});
const free = [absent('journal')];

function batch({ client }: Scene, keys: readonly Key[]): Told {
  const Keys = keys.map((key) => ({ ...key }));
  return client.send(
    new BatchGetCommand({ RequestItems: { [tableName()]: { Keys, ConsistentRead: true } }, ...TOTAL }),
  );
}

function query({ client }: Scene, pk: string): Told {
  return client.send(
    new QueryCommand({
      TableName: tableName(),
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': pk },
      ConsistentRead: true,
      ...TOTAL,
    }),
  );
}

/** DynamoDB Local's figures of a transaction are of little use: a hundred small items cost as much as two. */
const CASES: readonly Case[] = [
  ['a small item that is put', 1, ({ client, none }) => client.send(new PutCommand(newItem(none)))],
  ['5 KB that are put', 5, ({ client, none }) => client.send(new PutCommand(newItem(none, TEXT)))],
  ['a small item over 5 KB', 5, ({ client, large }) => client.send(new PutCommand(newItem(large)))],
  [
    'an update of 5 KB',
    5,
    ({ client, large }) =>
      client.send(
        new UpdateCommand({
          ...place(large),
          UpdateExpression: 'ADD n :one',
          ExpressionAttributeValues: { ':one': 1 },
        }),
      ),
  ],
  ['a removal of 5 KB', 5, ({ client, large }) => client.send(new DeleteCommand(place(large)))],
  ['a removal of what is not there', 1, ({ client, none }) => client.send(new DeleteCommand(place(none)))],

  [
    '5 KB that are read',
    2,
    ({ client, large }) => client.send(new GetCommand({ ...place(large), ConsistentRead: true })),
  ],
  [
    'what is not there',
    1,
    ({ client, none }) => client.send(new GetCommand({ ...place(none), ConsistentRead: true })),
  ],
  ['a batch of 5 KB and a small item', 3, (scene) => batch(scene, [scene.large, scene.small])],
  [
    'a batch of an item and a missing one',
    2,
    (scene) => batch(scene, [scene.small, scene.none]),
    { 'dynamodb-local': 1 },
  ],
  ['a batch of a missing item', 1, (scene) => batch(scene, [scene.none]), { 'dynamodb-local': 0 }],
  ['a query of both items together', 2, (scene) => query(scene, scene.large.pk)],
  ['a query that finds nothing', 1, (scene) => query(scene, scene.none.pk), { 'dynamodb-local': 0 }],

  [
    'a transaction of two small items',
    4,
    ({ transact, none, small }) =>
      transact(
        [none, small].map((key) => actionOf(key, { kind: 'put', item: {} }, free)),
        TOTAL,
      ),
  ],
  [
    'a transaction of a hundred small items',
    200,
    ({ transact, none }) =>
      transact(
        Array.from({ length: 100 }, (_, index) =>
          actionOf({ ...none, sk: String(index) }, { kind: 'put', item: {} }, free),
        ),
        TOTAL,
      ),
    { 'dynamodb-local': 4 },
  ],
  [
    'a transaction that updates 5 KB',
    10,
    ({ transact, large }) => transact([actionOf(large, updateOf({ add: { n: 1 } }), free)], TOTAL),
    { 'dynamodb-local': 20 },
  ],
  [
    'a transaction that removes 5 KB',
    10,
    ({ transact, large }) => transact([actionOf(large, { kind: 'remove' }, free)], TOTAL),
    { 'dynamodb-local': 20 },
  ],
  [
    'a transaction that checks 5 KB',
    10,
    ({ transact, large }) => transact([actionOf(large, { kind: 'check' }, [present('pk')])], TOTAL),
    { 'dynamodb-local': 8 },
  ],
  [
    'a transaction that checks what is not there',
    2,
    ({ transact, none }) => transact([actionOf(none, { kind: 'check' }, [absent('pk')])], TOTAL),
    { 'dynamodb-local': 4 },
  ],
];

describe.each(ENGINES)('$name', (engine) => {
  const served = useEngine(engine);

  async function newScene(): Promise<Scene> {
    const pk = `test#${randomUUID()}`;
    const scene = {
      ...served(),
      large: { pk, sk: 'large' },
      small: { pk, sk: 'small' },
      none: { pk: `${pk}-none`, sk: '1' },
    };
    await Promise.all([scene.put(scene.large, TEXT), scene.put(scene.small)]);
    return scene;
  }

  const cases = CASES.map(([what, aws, work, differing = {}]) => ({ what, aws, work, differing }));

  test.each(cases)('$what: $aws on AWS', async ({ aws, work, differing }) => {
    const { ConsumedCapacity: told = [] } = await work(await newScene());
    const units = [told].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
    expect(units).toBe(differing[engine.name] ?? aws);
  });

  test('the cost of a failed condition is not reported', async () => {
    const { client, large } = await newScene();
    const refused = client.send(
      new DeleteCommand({ ...place(large), ConditionExpression: 'attribute_not_exists(pk)' }),
    );
    await expect(refused).rejects.not.toHaveProperty('ConsumedCapacity');
  });
});
