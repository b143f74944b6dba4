import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import {
  type AttributeValue,
  BatchWriteItemCommand,
  type DynamoDBClient,
  paginateScan,
} from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { splitEvery } from '#lib/values/concurrency.ts';

type StoredItem = Record<string, AttributeValue>;

const FOLDER = join(import.meta.dirname, '../fixtures/shapes');

const BATCH = 25;

/** Bytes as JSON: DynamoDB's own JSON, unlike any other, has them in Base64. */
const Bytes = z.strictObject({ $bytes: z.string() });

const Line = z.record(z.string(), z.custom<AttributeValue>());

/** Writes down all items of a table, as a day's items of a shape. */
export async function writeShape(shape: string, client: DynamoDBClient, TableName: string): Promise<void> {
  const lines: string[] = [];
  for await (const { Items = [] } of paginateScan({ client }, { TableName })) {
    lines.push(...Items.map((item) => JSON.stringify(item, toJson)));
  }
  writeFileSync(fileOf(shape), gzipSync(lines.sort().join('\n'), { level: 9 }));
}

/** Fills an empty table with a day's items of a shape; returns their number. */
export async function fillWithShape(shape: string, client: DynamoDBClient, table: string): Promise<number> {
  const lines = gunzipSync(readFileSync(fileOf(shape)))
    .toString('utf8')
    .split('\n');
  const items: StoredItem[] = lines.map((line) => Line.parse(JSON.parse(line, fromJson)));
  for (const batch of splitEvery(items, BATCH)) {
    const RequestItems = { [table]: batch.map((Item) => ({ PutRequest: { Item } })) };
    await client.send(new BatchWriteItemCommand({ RequestItems }));
  }
  return items.length;
}

function fileOf(shape: string): string {
  return join(FOLDER, `${shape}.jsonl.gz`);
}

function toJson(_name: string, value: unknown): unknown {
  return value instanceof Uint8Array ? { $bytes: Buffer.from(value).toString('base64') } : value;
}

function fromJson(_name: string, value: unknown): unknown {
  const bytes = Bytes.safeParse(value).data;
  return bytes ? Buffer.from(bytes.$bytes, 'base64') : value;
}
