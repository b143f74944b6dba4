import { randomUUID } from 'node:crypto';
import { DescribeTimeToLiveCommand, DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { EngineName } from '#bin/local/database/engine.ts';
import { askStreams } from '#bin/local/database/stream-call.ts';
import { actionOf, updateOf } from '#lib/table/change/change.ts';
import { tableName } from '#lib/table/client.ts';
import { absent } from '#lib/table/expression.ts';
import type { Key } from '#lib/table/keys.ts';
import { ENGINES, errorOf, useEngine } from '#tests/support/engines.ts';

/*
 * The table's stream, read over HTTP as `bin/local/stream.ts` reads it, on each engine; and other properties
 * of the local table: its readers, and expiry.
 */

/** A write that leaves its item as it was: it is no record on AWS. */
const RECORDS_OF_NO_CHANGE: Readonly<Record<EngineName, number>> = { dynoxide: 2, 'dynamodb-local': 0 };

/** Result for another access key. */
const TO_OTHERS: Readonly<Record<EngineName, string | undefined>> = {
  dynoxide: undefined,
  'dynamodb-local': 'ResourceNotFoundException',
};

const Record = z.object({
  eventName: z.enum(['INSERT', 'MODIFY', 'REMOVE']),
  dynamodb: z.object({
    Keys: z.object({ pk: z.object({ S: z.string() }), sk: z.object({ S: z.string() }) }),
    OldImage: z.unknown().optional(),
    NewImage: z.unknown().optional(),
    SequenceNumber: z.string(),
    ApproximateCreationDateTime: z.number(),
  }),
});
const Answer = z.object({ Records: z.array(Record), NextShardIterator: z.string() });
const Streams = z.object({ Streams: z.array(z.object({ StreamArn: z.string() })).length(1) });
const Stream = z.object({
  StreamDescription: z.object({ Shards: z.array(z.object({ ShardId: z.string() })).length(1) }),
});
const Iterator = z.object({ ShardIterator: z.string() });

describe.each(ENGINES)('$name', (engine) => {
  const served = useEngine(engine);

  const ask = (operation: string, body: object) => askStreams(served().endpoint, operation, body);

  /** Reads the one shard from a position to its current end, few records at a time. */
  async function readFrom(place: object): Promise<z.output<typeof Record>[]> {
    const [stream] = Streams.parse(await ask('ListStreams', { TableName: tableName() })).Streams;
    const { Shards } = Stream.parse(await ask('DescribeStream', stream ?? {})).StreamDescription;
    const from = { ...stream, ...Shards[0], ...place };
    const records: z.output<typeof Record>[] = [];
    let { ShardIterator } = Iterator.parse(await ask('GetShardIterator', from));
    for (;;) {
      const answer = Answer.parse(await ask('GetRecords', { ShardIterator, Limit: 3 }));
      records.push(...answer.Records);
      ShardIterator = answer.NextShardIterator;
      if (answer.Records.length === 0) return records;
    }
  }

  const FROM_THE_OLDEST = { ShardIteratorType: 'TRIM_HORIZON' };

  function readAfter(SequenceNumber: string) {
    return readFrom({ ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber });
  }

  async function recordsOf({ pk }: Key): Promise<z.output<typeof Record>[]> {
    return (await readFrom(FROM_THE_OLDEST)).filter(({ dynamodb }) => dynamodb.Keys.pk.S === pk);
  }

  const newKey = () => ({ pk: `test#${randomUUID()}`, sk: '1' });
  const addTo = (key: Key) => actionOf(key, updateOf({ add: { n: 1 } }), [absent('journal')]);

  test('each change of an item is a record, in order, with the item before and after it; nothing is trimmed', async () => {
    const { client, put, transact } = served();
    const key = newKey();
    const item = { pk: { S: key.pk }, sk: { S: '1' } };
    await put(key, { n: 1.5, bytes: new Uint8Array([1, 2]), deep: { list: ['x'] } });
    await transact([addTo(key), addTo({ ...key, sk: '2' })]);
    await put(key);
    await client.send(new DeleteCommand({ TableName: tableName(), Key: key }));
    const records = await recordsOf(key);
    const ofItem = records.filter(({ dynamodb }) => dynamodb.Keys.sk.S === '1');
    const made = {
      ...item,
      n: { N: '1.5' },
      bytes: { B: 'AQI=' },
      deep: { M: { list: { L: [{ S: 'x' }] } } },
    };
    const added = { ...made, n: { N: '2.5' } };
    expect(
      ofItem.map(({ eventName, dynamodb }) => [eventName, dynamodb.OldImage, dynamodb.NewImage]),
    ).toEqual([
      ['INSERT', undefined, made],
      ['MODIFY', made, added],
      ['MODIFY', added, item],
      ['REMOVE', item, undefined],
    ]);
    expect(records).toHaveLength(5);
  });

  test('a number is the place of its record: what comes after it is read from there, once', async () => {
    const { put } = served();
    const keys = Array.from({ length: 8 }, newKey);
    for (const key of keys) await put(key);
    const all = await readFrom(FROM_THE_OLDEST);
    const numbers = all.map(({ dynamodb }) => BigInt(dynamodb.SequenceNumber));
    expect(numbers).toEqual([...numbers].sort((a, b) => (a < b ? -1 : 1)));
    expect(new Set(numbers).size).toBe(numbers.length);
    const place = all.at(-5)?.dynamodb.SequenceNumber ?? '';
    expect(await readAfter(place)).toEqual(all.slice(-4));
    expect(await readAfter(all.at(-1)?.dynamodb.SequenceNumber ?? '')).toEqual([]);
  });

  test('a write that changes nothing', async () => {
    const { client, put } = served();
    const key = newKey();
    await put(key, { n: 1 });
    await put(key, { n: 1 });
    await client.send(
      new UpdateCommand({
        TableName: tableName(),
        Key: key,
        UpdateExpression: 'SET n = :n',
        ExpressionAttributeValues: { ':n': 1 },
      }),
    );
    await client.send(new DeleteCommand({ TableName: tableName(), Key: newKey() }));
    expect(await recordsOf(key)).toHaveLength(1 + RECORDS_OF_NO_CHANGE[engine.name]);
  });

  test('nothing expires in the local table', async () => {
    const told = await served().client.send(new DescribeTimeToLiveCommand({ TableName: tableName() }));
    expect(told.TimeToLiveDescription?.TimeToLiveStatus).toBe('DISABLED');
  });

  test('another access key', async () => {
    const credentials = { accessKeyId: 'another', secretAccessKey: 'x' };
    const other = new DynamoDBClient({ endpoint: served().endpoint, maxAttempts: 1, credentials });
    const Key = { pk: { S: 'test' }, sk: { S: '1' } };
    const read = other.send(new GetItemCommand({ TableName: tableName(), Key }));
    expect(await errorOf(read)).toBe(TO_OTHERS[engine.name]);
  });

  test.runIf(engine.name === 'dynoxide')('it listens at no other address of the machine', async () => {
    await expect(fetch(served().endpoint.replace('127.0.0.1', '127.0.0.2'))).rejects.toThrow('fetch failed');
  });
});
