import { randomUUID } from 'node:crypto';
import {
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  GetItemCommand,
  UpdateTableCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, expect, inject, test, vi } from 'vitest';
import { createTable } from '#bin/local/database/table.ts';
import { makeDemoData } from '#bin/local/demo-data.ts';
import { POSTING } from '#lib/cash/posting/record.ts';
import { familyTenant, recordKey } from '#lib/table/keys.ts';
import { sell } from '#lib/trade/checkout/sell.ts';
import { SaleInput } from '#lib/trade/sale/input.ts';
import { directorAs } from '#tests/support/family.ts';
import { runProgram } from '#tests/support/program.ts';
import { serveRestores } from '#tests/support/restores.ts';

/*
 * Runs the real program on DynamoDB Local. A small endpoint in front serves the operations that Local lacks.
 */

const LOCAL = inject('settings')['AWS_ENDPOINT_URL_DYNAMODB'] ?? '';

const client = new DynamoDBClient({});

const source = `source-${randomUUID()}`;
const unprotected = `source-${randomUUID()}`;
let endpoint: Awaited<ReturnType<typeof serveRestores>>;

/** A posting, without which its desk has more than was paid. */
const paid = recordKey(POSTING, familyTenant(1), 1);

beforeAll(async () => {
  endpoint = await serveRestores();
  await createTable(LOCAL, source);
  await createTable(LOCAL, unprotected);
  await fillWithShop(source);
  await client.send(new UpdateTableCommand({ TableName: source, DeletionProtectionEnabled: true }));
});

/** Creates the demo shop in a table, and sells something there. */
async function fillWithShop(table: string): Promise<void> {
  vi.stubEnv('TABLE_NAME', table);
  await makeDemoData(Date.now());
  const sale = {
    ...{ cashbox_id: 3, stock_id: 1, currency: 'uzs' },
    products: [{ product_id: 1, sold_quantity: 2 }],
    transactions: [{ payment_type: 'cash', amount: 8000 }],
  };
  await sell(directorAs(3, 1), SaleInput.parse(sale), Date.now(), { saveResponse: () => [] });
  vi.unstubAllEnvs();
}

beforeEach(() => {
  endpoint.state.left = undefined;
});

afterAll(() => endpoint.close());

interface Asked {
  readonly from?: string;
  readonly at?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

function restore(target: string, { from = source, at = '2026-11-21T10:00', env }: Asked = {}) {
  const args = ['--stage', 'production', '--table', from, '--at', at, '--as', target];
  return runProgram('restore', args, { AWS_ENDPOINT_URL_DYNAMODB: endpoint.url, ...env });
}

test('a table is restored beside the old one, whole and set as that is, and its books are checked', async () => {
  const target = `restored-${randomUUID()}`;
  const { code, stdout, stderr } = await restore(target);
  expect(stderr).toBe('');
  expect(stdout).toContain('The books add up.');
  expect(stdout).toContain(`npm run deploy -- --stage production -- -c TABLE=${target}`);
  expect(code).toBe(0);
  expect(stdout).toMatch(/That is in account 0+, \w+, and takes from minutes to hours\./);
  expect(stdout).toContain(`Restores ${source} as of 2026-11-21T10:00 (Asia/Tashkent) to ${target}.`);
  const at = Date.parse('2026-11-21T10:00+05:00') / 1000;
  expect(endpoint.restored.get(target)).toEqual({ source, at });
  expect(endpoint.recoverable.get(target)).toBe(true);
  const { Table } = await client.send(new DescribeTableCommand({ TableName: target }));
  expect(Table?.DeletionProtectionEnabled).toBe(true);
  expect(Table?.StreamSpecification).toEqual({ StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' });
  expect(stdout).toContain(`-c TABLE_STREAM=${Table?.LatestStreamLabel}`);
  const watched = { pk: { S: 'feed-watch' }, sk: { S: 'epoch' } };
  const { Item } = await client.send(new GetItemCommand({ TableName: target, Key: watched }));
  // Sync clients start over.
  expect(Item?.['epoch']?.S).toBeTruthy();
  const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName: target }));
  expect(TimeToLiveDescription).toMatchObject({ AttributeName: 'expires_at', TimeToLiveStatus: 'ENABLED' });
});

test('a table is protected from deletion if the one that it comes from is', async () => {
  const target = `restored-${randomUUID()}`;
  expect((await restore(target, { from: unprotected })).code).toBe(0);
  const { Table } = await client.send(new DescribeTableCommand({ TableName: target }));
  expect(Table?.DeletionProtectionEnabled).not.toBe(true);
});

test('a restore that was cut off is gone on with; a table of another minute or source is not touched', async () => {
  const target = `restored-${randomUUID()}`;
  for (const _ of [1, 2]) {
    const { code, stderr } = await restore(target, { from: unprotected });
    expect([code, stderr]).toEqual([0, '']);
  }
  for (const other of [{ from: unprotected, at: '2026-11-21T10:01' }, { from: source }]) {
    const { code, stderr } = await restore(target, other);
    expect(code).toBe(1);
    expect(stderr).toMatch(new RegExp(`^${target} is there, and is not .+: choose another name\\.\n$`));
  }
});

test('the minute is one of the time zone of the stage', async () => {
  const target = `restored-${randomUUID()}`;
  const { stdout } = await restore(target, { from: unprotected, env: { TIME_ZONE: 'Europe/Berlin' } });
  expect(stdout).toContain('as of 2026-11-21T10:00 (Europe/Berlin)');
  expect(endpoint.restored.get(target)?.at).toBe(Date.parse('2026-11-21T10:00+01:00') / 1000);
});

test('a minute that is still to come is refused before AWS is asked', async () => {
  const nowhere = { AWS_ENDPOINT_URL_CLOUDFORMATION: 'http://127.0.0.1:1', TIME_ZONE: undefined };
  const { code, stderr } = await restore('new', { at: '2099-01-01T10:00', env: nowhere });
  expect([code, stderr]).toEqual([1, '2099-01-01T10:00 is still to come.\n']);
});

test('a minute that is none is refused before anything is made', async () => {
  const args = ['--stage', 'dev', '--table', source, '--at', 'yesterday', '--as', 'new'];
  const { code, stdout, stderr } = await runProgram('restore', args);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain('--at 2026-11-21T10:00');
});

test('a table whose books do not add up is not offered to work with, and stays for a look', async () => {
  const target = `restored-${randomUUID()}`;
  endpoint.state.left = paid;
  const { code, stdout, stderr } = await restore(target);
  expect(stdout).toMatch(/Family 1: \d+ violations/);
  expect(stdout).not.toContain('npm run deploy');
  expect(stderr).toContain(
    `Its books do not add up: choose another minute. ${target} remains; nobody uses it.`,
  );
  expect(code).toBe(1);
  const { Table } = await client.send(new DescribeTableCommand({ TableName: target }));
  expect(Table?.TableStatus).toBe('ACTIVE');
});
