import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import {
  type AttributeValue,
  BatchWriteItemCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  paginateScan,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import * as z from 'zod';
import { createTable } from '#bin/local/database.ts';
import { pieces } from '#lib/values/pieces.ts';
import { type Asked, serveBefore } from '#tests/kit/endpoint.ts';
import { runProgram } from '#tests/kit/program.ts';

/*
 * The program runs as it is, on DynamoDB Local. What Local has not, a small endpoint before it does: there a
 * restore copies the table's items to a new one, and continuous backups are noted down.
 */

type StoredItem = Record<string, AttributeValue>;

const SHOP_DAY = join(import.meta.dirname, '../journeys/older-items/before-part-3.json.gz');
const LOCAL = inject('settings')['AWS_ENDPOINT_URL_DYNAMODB'] ?? '';

const client = new DynamoDBClient({});
const Restore = z.object({
  SourceTableName: z.string(),
  TargetTableName: z.string(),
  RestoreDateTime: z.number(),
});
const Backups = z.object({
  TableName: z.string(),
  PointInTimeRecoverySpecification: z.object({ PointInTimeRecoveryEnabled: z.boolean() }),
});

const restoredAt = new Map<string, number>();
const recoverable = new Map<string, boolean>();
/** An item that a restore leaves out, if its table's books are not to add up. */
let left: StoredItem | undefined;
/** A transfer of money, without which its desk has more than was paid. */
let paid: StoredItem | undefined;
const source = `source-${randomUUID()}`;
let endpoint: Awaited<ReturnType<typeof serveBefore>>;

beforeAll(async () => {
  endpoint = await serveBefore(LOCAL, answer);
  const items = z
    .array(z.custom<StoredItem>())
    .parse(JSON.parse(gunzipSync(readFileSync(SHOP_DAY)).toString()));
  await createTable(LOCAL, source);
  await fill(source, items);
  paid = items.find(({ pk }) => pk?.S?.startsWith('transfer#'));
});

beforeEach(() => {
  left = undefined;
});

afterAll(() => endpoint.close());

async function fill(table: string, items: readonly StoredItem[]): Promise<void> {
  for (const batch of pieces(items, 25)) {
    const requests = batch.map((Item) => ({ PutRequest: { Item } }));
    await client.send(new BatchWriteItemCommand({ RequestItems: { [table]: requests } }));
  }
}

async function answer({ operation, body }: Asked): Promise<string | undefined> {
  if (operation === 'RestoreTableToPointInTime') {
    const { SourceTableName, TargetTableName, RestoreDateTime } = Restore.parse(JSON.parse(body));
    await createTable(LOCAL, TargetTableName);
    for await (const { Items = [] } of paginateScan({ client }, { TableName: SourceTableName })) {
      await fill(
        TargetTableName,
        Items.filter(({ pk, sk }) => pk?.S !== left?.['pk']?.S || sk?.S !== left?.['sk']?.S),
      );
    }
    restoredAt.set(TargetTableName, RestoreDateTime * 1000);
    return '{}';
  }
  if (operation === 'UpdateContinuousBackups') {
    const { TableName, PointInTimeRecoverySpecification } = Backups.parse(JSON.parse(body));
    recoverable.set(TableName, PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled);
    return '{}';
  }
  return undefined;
}

function restore(stage: string, target: string) {
  const args = ['--stage', stage, '--table', source, '--at', '2026-11-21T10:00', '--as', target];
  return runProgram('restore', args, { AWS_ENDPOINT_URL_DYNAMODB: endpoint.url });
}

test('a table is restored beside the old one, whole and set as that is, and its books are checked', {
  timeout: 90_000,
}, async () => {
  const target = `restored-${randomUUID()}`;
  const { code, stdout, stderr } = await restore('production', target);
  expect(stderr).toBe('');
  expect(stdout).toContain('The books add up.');
  expect(stdout).toContain(`npm run deploy -- --stage production -- -c TABLE=${target}`);
  expect(code).toBe(0);
  expect(restoredAt.get(target)).toBe(Date.parse('2026-11-21T10:00+05:00'));
  expect(recoverable.get(target)).toBe(true);
  const { Table } = await client.send(new DescribeTableCommand({ TableName: target }));
  expect(Table?.DeletionProtectionEnabled).toBe(true);
  const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName: target }));
  expect(TimeToLiveDescription).toMatchObject({ AttributeName: 'expires_at', TimeToLiveStatus: 'ENABLED' });
});

test('only production is protected from deletion', { timeout: 90_000 }, async () => {
  const target = `restored-${randomUUID()}`;
  expect((await restore('dev', target)).code).toBe(0);
  const { Table } = await client.send(new DescribeTableCommand({ TableName: target }));
  expect(Table?.DeletionProtectionEnabled).not.toBe(true);
});

test('a minute that is none is refused before anything is made', async () => {
  const args = ['--stage', 'dev', '--table', source, '--at', 'yesterday', '--as', 'new'];
  const { code, stdout, stderr } = await runProgram('restore', args);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain('--at 2026-11-21T10:00');
});

test('a table whose books do not add up is not offered to work with, and stays for a look', {
  timeout: 90_000,
}, async () => {
  const target = `restored-${randomUUID()}`;
  left = paid;
  const { code, stdout, stderr } = await restore('production', target);
  expect(stdout).toMatch(/Family 3: \d+ violations/);
  expect(stdout).not.toContain('npm run deploy');
  expect(stderr).toContain(
    `Its books do not add up: choose another minute. ${target} remains; nobody uses it.`,
  );
  expect(code).toBe(1);
  const { Table } = await client.send(new DescribeTableCommand({ TableName: target }));
  expect(Table?.TableStatus).toBe('ACTIVE');
});
