import {
  type AttributeValue,
  BatchGetItemCommand,
  BatchWriteItemCommand,
  DynamoDBClient,
  paginateScan,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb';
import { addressOf, type Key } from '#lib/table/keys.ts';
import { backOff } from '#lib/table/transient-errors.ts';
import { splitEvery } from '#lib/values/concurrency.ts';

/*
 * Items of any table in DynamoDB's own format, with their locks, so that a copy in another table is exact to
 * the last digit.
 */

/** Item in DynamoDB's format. */
export type RawItem = Record<string, AttributeValue>;

const client = new DynamoDBClient({});

const GET_BATCH = 100;
const WRITE_BATCH = 25;

/** Scans a whole table, a megabyte at a time. */
export async function* scanRaw(TableName: string): AsyncGenerator<RawItem[], undefined> {
  for await (const { Items = [] } of paginateScan({ client }, { TableName, ConsistentRead: true }))
    yield Items;
}

/** Reads the items at some keys of a table. Returns them by address. */
export async function readRaw(table: string, keys: readonly Key[]): Promise<Map<string, RawItem>> {
  const found = new Map<string, RawItem>();
  for (const batch of splitEvery(keys, GET_BATCH)) {
    let wanted: RawItem[] = batch.map(rawKey);
    for (let attempt = 1; wanted.length > 0; attempt++) {
      const RequestItems = { [table]: { Keys: wanted, ConsistentRead: true } };
      const answer = await client.send(new BatchGetItemCommand({ RequestItems }));
      for (const item of answer.Responses?.[table] ?? []) found.set(addressOf(keyOfRaw(item)), item);
      wanted = answer.UnprocessedKeys?.[table]?.Keys ?? [];
      if (wanted.length > 0) await backOff(attempt);
    }
  }
  return found;
}

/** Puts items into a table unconditionally. */
export function putRaw(table: string, items: readonly RawItem[]): Promise<void> {
  return writeRaw(
    table,
    items.map((Item) => ({ PutRequest: { Item } })),
  );
}

/** Deletes items from a table. */
export function removeRaw(table: string, keys: readonly Key[]): Promise<void> {
  return writeRaw(
    table,
    keys.map((key) => ({ DeleteRequest: { Key: rawKey(key) } })),
  );
}

async function writeRaw(table: string, requests: readonly WriteRequest[]): Promise<void> {
  for (const batch of splitEvery(requests, WRITE_BATCH)) {
    let left = batch;
    for (let attempt = 1; left.length > 0; attempt++) {
      const RequestItems = { [table]: left };
      const { UnprocessedItems = {} } = await client.send(new BatchWriteItemCommand({ RequestItems }));
      left = UnprocessedItems[table] ?? [];
      if (left.length > 0) await backOff(attempt);
    }
  }
}

/** Returns the key of an item. */
export function keyOfRaw({ pk, sk }: RawItem): Key {
  return { pk: pk?.S ?? '', sk: sk?.S ?? '' };
}

function rawKey({ pk, sk }: Key): RawItem {
  return { pk: { S: pk }, sk: { S: sk } };
}
