import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { afterEach, expect, inject, test } from 'vitest';
import {
  answerError,
  arriveOffline,
  delay,
  dropAnswer,
  dropRequest,
  duplicate,
  repeatLater,
} from '#bench/chaos/fault.ts';
import { type FaultProxy, startProxy } from '#bench/chaos/proxy.ts';
import type { WireCall } from '#bench/chaos/table-call.ts';
import { dynamo, tableName } from '#lib/table/client.ts';

const started: FaultProxy[] = [];

afterEach(async () => {
  for (const proxy of started.splice(0)) await proxy.stop();
});

async function newProxy(random?: () => number) {
  const proxy = await startProxy(inject('settings')['AWS_ENDPOINT_URL_DYNAMODB'] ?? '', random);
  started.push(proxy);
  const through = (maxAttempts: number) =>
    DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint: proxy.endpoint, maxAttempts }));
  return { proxy, once: through(1), persistent: through(3) };
}

const isUpdate = ({ operation }: WireCall) => operation === 'UpdateItem';

function newKey() {
  return { pk: `test#${randomUUID()}`, sk: 'header' };
}

function increment(Key: { pk: string; sk: string }) {
  const increase = { UpdateExpression: 'ADD n :one', ExpressionAttributeValues: { ':one': 1 } };
  return { TableName: tableName(), Key, ...increase };
}

// Reads past the proxy.
async function valueAt(Key: { pk: string; sk: string }): Promise<unknown> {
  const { Item } = await dynamo.send(new GetCommand({ TableName: tableName(), Key, ConsistentRead: true }));
  return Item?.['n'];
}

test('a call without a fault goes through, even one of two megabytes', async () => {
  const { once } = await newProxy();
  const [a, b] = [newKey(), newKey()];
  const TableName = tableName();
  const puts = Array.from({ length: 6 }, (_, place) => ({
    Put: { TableName, Item: { ...a, sk: String(place), text: 'x'.repeat(380_000) } },
  }));
  await once.send(new TransactWriteCommand({ TransactItems: puts }));
  const { Item } = await once.send(new GetCommand({ TableName, Key: { ...a, sk: '5' } }));
  expect(Item?.['text']).toHaveLength(380_000);
  await Promise.all(Array.from({ length: 50 }, () => once.send(new UpdateCommand(increment(b)))));
  expect(await valueAt(b)).toBe(50);
});

test('a rule sees the operation, the keys and the values of a call', async () => {
  const { proxy, once } = await newProxy();
  const key = newKey();
  const rule = proxy.on(
    ({ operation, keys, values }) =>
      operation === 'UpdateItem' && keys.some(({ sk }) => sk === 'header') && values.has('committed'),
    dropRequest,
  );
  await once.send(new UpdateCommand(increment(key)));
  expect(rule.count).toBe(0);
  const commit = { UpdateExpression: 'SET s = :to', ExpressionAttributeValues: { ':to': 'committed' } };
  await expect(
    once.send(new UpdateCommand({ TableName: tableName(), Key: key, ...commit })),
  ).rejects.toThrow();
  expect(rule.count).toBe(1);
  expect(await rule.met).toMatchObject({
    isWrite: true,
    keys: [key],
    input: { Key: { sk: { S: 'header' } } },
  });
});

test('a rule sees every key of a transaction', async () => {
  const { proxy, once } = await newProxy();
  const [a, b] = [newKey(), newKey()];
  const rule = proxy.on(({ operation }) => operation === 'TransactWriteItems', delay(0));
  await once.send(
    new TransactWriteCommand({
      TransactItems: [{ Update: increment(a) }, { Put: { TableName: tableName(), Item: { ...b, n: 7 } } }],
    }),
  );
  const { keys, values } = await rule.met;
  expect(keys).toEqual([a, b]);
  expect(values.has('7')).toBe(true);
});

test('a dropped request is not done, and the caller sees a reset connection', async () => {
  const { proxy, once } = await newProxy();
  const key = newKey();
  proxy.on(isUpdate, dropRequest);
  await expect(once.send(new UpdateCommand(increment(key)))).rejects.toThrow(/ECONNRESET|hang up/);
  expect(await valueAt(key)).toBeUndefined();
});

test('a dropped answer is done, and a client that tries again does it twice', async () => {
  const { proxy, once, persistent } = await newProxy();
  const [a, b] = [newKey(), newKey()];
  proxy.on(isUpdate, dropAnswer, { times: 2 });
  await expect(once.send(new UpdateCommand(increment(a)))).rejects.toThrow(/ECONNRESET|hang up/);
  expect(await valueAt(a)).toBe(1);
  await persistent.send(new UpdateCommand(increment(b)));
  expect(await valueAt(b)).toBe(2);
});

test('a transaction whose answer was dropped is made once, though the client tries again', async () => {
  const { proxy, persistent } = await newProxy();
  const key = newKey();
  proxy.on(({ isWrite }) => isWrite, dropAnswer);
  await persistent.send(new TransactWriteCommand({ TransactItems: [{ Update: increment(key) }] }));
  expect(await valueAt(key)).toBe(1);
});

test.each([false, true])('an answered 500 is done if the fault says so: %s', async (isDone) => {
  const { proxy, once } = await newProxy();
  const key = newKey();
  proxy.on(isUpdate, answerError({ isDone }));
  await expect(once.send(new UpdateCommand(increment(key)))).rejects.toMatchObject({
    name: 'InternalServerError',
    $metadata: { httpStatusCode: 500 },
  });
  expect(await valueAt(key)).toBe(isDone ? 1 : undefined);
});

test('an error may have a name', async () => {
  const { proxy, once } = await newProxy();
  const name = 'ProvisionedThroughputExceededException';
  proxy.on(isUpdate, answerError({ name }));
  await expect(once.send(new UpdateCommand(increment(newKey())))).rejects.toMatchObject({ name });
});

test('a held call reaches the table after the event that it waits for', async () => {
  const { proxy, once } = await newProxy();
  const key = newKey();
  const gate = Promise.withResolvers<void>();
  const rule = proxy.on(isUpdate, delay(gate.promise));
  const sent = once.send(new UpdateCommand(increment(key)));
  await rule.met;
  expect(await valueAt(key)).toBeUndefined();
  gate.resolve();
  await sent;
  expect(await valueAt(key)).toBe(1);
});

test('a call that arrives late is done after the attempt that followed it', async () => {
  const { proxy, persistent } = await newProxy();
  const key = newKey();
  const gate = Promise.withResolvers<void>();
  proxy.on(({ operation }) => operation === 'PutItem', arriveOffline(gate.promise));
  await persistent.send(new PutCommand({ TableName: tableName(), Item: { ...key, n: 1 } }));
  await incrementAt(persistent, key);
  expect(await valueAt(key)).toBe(2);
  gate.resolve();
  await proxy.idle();
  expect(await valueAt(key)).toBe(1);
});

test('a duplicate is done twice at once, a transaction of the same token only once', async () => {
  const { proxy, persistent } = await newProxy();
  const [a, b] = [newKey(), newKey()];
  proxy.on(({ isWrite }) => isWrite, duplicate, { times: 2 });
  await persistent.send(new UpdateCommand(increment(a)));
  await persistent.send(new TransactWriteCommand({ TransactItems: [{ Update: increment(b) }] }));
  await proxy.idle();
  expect([await valueAt(a), await valueAt(b)]).toEqual([2, 1]);
});

test('a call may come once more later', async () => {
  const { proxy, persistent } = await newProxy();
  const key = newKey();
  const gate = Promise.withResolvers<void>();
  proxy.on(isUpdate, repeatLater(gate.promise));
  await incrementAt(persistent, key);
  expect(await valueAt(key)).toBe(1);
  gate.resolve();
  await proxy.idle();
  expect(await valueAt(key)).toBe(2);
});

test('a rule strikes a share of the calls, by the random numbers that are given', async () => {
  const numbers = [0.1, 0.9, 0.4, 0.6].values();
  const { proxy, once } = await newProxy(() => numbers.next().value ?? 1);
  const rule = proxy.on(isUpdate, answerError(), { times: Number.POSITIVE_INFINITY, share: 0.5 });
  const outcomes: boolean[] = [];
  for (let each = 0; each < 4; each++) {
    outcomes.push(
      await once.send(new UpdateCommand(increment(newKey()))).then(
        () => true,
        () => false,
      ),
    );
  }
  expect(outcomes).toEqual([false, true, false, true]);
  rule.off();
  await once.send(new UpdateCommand(increment(newKey())));
  expect(rule.count).toBe(2);
});

test('what is held back when the proxy stops never reaches the table', async () => {
  const { proxy, once } = await newProxy();
  const key = newKey();
  const rule = proxy.on(isUpdate, arriveOffline(600_000));
  await expect(once.send(new UpdateCommand(increment(key)))).rejects.toThrow();
  await rule.met;
  await proxy.stop();
  await proxy.idle();
  started.splice(0);
  expect(await valueAt(key)).toBeUndefined();
});

function incrementAt(client: DynamoDBDocumentClient, key: { pk: string; sk: string }) {
  return client.send(new UpdateCommand(increment(key)));
}
