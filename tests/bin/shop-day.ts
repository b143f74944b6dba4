import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import { startProcess } from '#bin/local/process.ts';

/*
 * Keeps the items of a demo day as they are written now, for tests that need a table with one:
 * `npx node tests/bin/shop-day.ts`, after their shape has changed.
 */

const ROOT = join(import.meta.dirname, '../..');

const { address, settings, stop } = await startProcess();
execFileSync(process.execPath, [join(ROOT, 'bin/demo.ts')], { env: { ...process.env, API: address } });
Object.assign(process.env, settings);

const items: object[] = [];
for await (const { Items = [] } of paginateScan(
  { client: new DynamoDBClient() },
  { TableName: settings['TABLE_NAME'] },
)) {
  items.push(...Items);
}
writeFileSync(join(import.meta.dirname, 'shop-day.json.gz'), gzipSync(JSON.stringify(items), { level: 9 }));
await stop();
