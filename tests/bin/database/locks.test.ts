import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, inject, onTestFinished, test } from 'vitest';
import { errorAnswer, type Fault } from '#bench/chaos/fault.ts';
import { startProxy } from '#bench/chaos/proxy.ts';
import type { EngineName } from '#bin/local/database/engine.ts';
import { waitForLocks } from '#bin/local/database/locks.ts';
import { tableName } from '#lib/table/client.ts';

const LOCK =
  'This action timed out because it too long waiting for a lock. This request will succeed in actual DynamoDB API';

/** More attempts than the SDK makes by itself. */
const OFTEN = 5;

async function clientOf(engine: EngineName, message: string, isDone = false) {
  const proxy = await startProxy(inject('settings')['AWS_ENDPOINT_URL_DYNAMODB'] ?? '');
  onTestFinished(proxy.stop);
  const fail: Fault = async ({ forward, answer }) => {
    if (isDone) await forward();
    answer(errorAnswer('InternalServerError', { message }));
  };
  const rule = proxy.on(({ isWrite }) => isWrite, fail, { times: OFTEN });
  const client = DynamoDBDocumentClient.from(
    new DynamoDBClient({ endpoint: proxy.endpoint, maxAttempts: 2 }),
  );
  waitForLocks(client, engine);
  return { client, rule };
}

function increment() {
  const Key = { pk: `test#${randomUUID()}`, sk: 'header' };
  const how = { UpdateExpression: 'ADD n :one', ExpressionAttributeValues: { ':one': 1 } };
  return { TableName: tableName(), Key, ...how };
}

test('a request that DynamoDB Local gave up over a lock is sent until it goes through', async () => {
  const { client, rule } = await clientOf('dynamodb-local', LOCK);
  const { Attributes } = await client.send(new UpdateCommand({ ...increment(), ReturnValues: 'ALL_NEW' }));
  expect(Attributes?.['n']).toBe(1);
  expect(rule.count).toBe(OFTEN);
});

test('a transaction is sent by the same token, so that it is made once', async () => {
  const { client } = await clientOf('dynamodb-local', LOCK, true);
  const change = increment();
  await client.send(new TransactWriteCommand({ TransactItems: [{ Update: change }] }));
  const again = await client.send(new UpdateCommand({ ...change, ReturnValues: 'ALL_NEW' }));
  expect(again.Attributes?.['n']).toBe(2);
});

test.each([
  ['another error', 'dynamodb-local', 'Something else'],
  ['another engine', 'dynoxide', LOCK],
] as const)('%s is only tried again as the SDK does', async (_, engine, message) => {
  const { client, rule } = await clientOf(engine, message);
  await expect(client.send(new UpdateCommand(increment()))).rejects.toThrow(message);
  expect(rule.count).toBe(2);
});
