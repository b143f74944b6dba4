import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  TransactWriteCommand,
} from '@aws-sdk/lib-dynamodb';
import { expect, inject, onTestFinished, test } from 'vitest';
import { leaveUnprocessed, refuseAsConflict } from '#bench/chaos/contention.ts';
import { startProxy } from '#bench/chaos/proxy.ts';
import { randomFrom } from '#bench/support/random.ts';
import { tableName } from '#lib/table/client.ts';

const chance = randomFrom(1, 'contention');

async function newProxy() {
  const proxy = await startProxy(inject('settings')['AWS_ENDPOINT_URL_DYNAMODB'] ?? '');
  onTestFinished(proxy.stop);
  const client = DynamoDBDocumentClient.from(
    new DynamoDBClient({ endpoint: proxy.endpoint, maxAttempts: 1 }),
  );
  return { proxy, client };
}

function newKeys(count: number) {
  const pk = `test#${randomUUID()}`;
  return Array.from({ length: count }, (_, index) => ({ pk, sk: String(index) }));
}

test('a transaction is refused as a conflict over one of its items, and nothing of it is done', async () => {
  const { proxy, client } = await newProxy();
  proxy.on(({ operation }) => operation === 'TransactWriteItems', refuseAsConflict(chance));
  const keys = newKeys(3);
  const TransactItems = keys.map((Item) => ({ Put: { TableName: tableName(), Item } }));
  const refusal = await client
    .send(new TransactWriteCommand({ TransactItems }))
    .catch((error: unknown) => error);
  expect(refusal).toMatchObject({ name: 'TransactionCanceledException' });
  const { CancellationReasons: reasons } = Object(refusal);
  expect(reasons.map(({ Code }: { Code: string }) => Code).toSorted()).toEqual([
    ...['None', 'None', 'TransactionConflict'],
  ]);
  for (const Key of keys) {
    expect((await client.send(new GetCommand({ TableName: tableName(), Key }))).Item).toBeUndefined();
  }
});

test('a single write is refused as a conflict', async () => {
  const { proxy, client } = await newProxy();
  proxy.on(({ isWrite }) => isWrite, refuseAsConflict(chance));
  const [Item] = newKeys(1);
  await expect(client.send(new PutCommand({ TableName: tableName(), Item }))).rejects.toMatchObject({
    name: 'TransactionConflictException',
  });
});

test('of a batch some is read, and the rest is left to be asked for again', async () => {
  const { proxy, client } = await newProxy();
  const keys = newKeys(5);
  for (const Item of keys) await client.send(new PutCommand({ TableName: tableName(), Item }));
  proxy.on(({ operation }) => operation === 'BatchGetItem', leaveUnprocessed(chance));
  const RequestItems = { [tableName()]: { Keys: keys, ConsistentRead: true } };
  const first = await client.send(new BatchGetCommand({ RequestItems }));
  const read = first.Responses?.[tableName()] ?? [];
  expect(read.length).toBeGreaterThan(0);
  expect(read.length).toBeLessThan(keys.length);
  const rest = await client.send(new BatchGetCommand({ RequestItems: first.UnprocessedKeys }));
  const all = [...read, ...(rest.Responses?.[tableName()] ?? [])].map(({ sk }) => sk);
  expect(all.toSorted()).toEqual(keys.map(({ sk }) => sk));
});
