import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';

/*
 * Keeps the items of a demo day as this version writes them, before they change their shape:
 * `node tests/journeys/older-items/record.ts before-part-3`.
 */

const [name = 'items'] = process.argv.slice(2);
const ROOT = join(import.meta.dirname, '../../..');
const Started = z.object({ address: z.string(), settings: z.record(z.string(), z.string()) });

const service = fork(join(ROOT, 'bin/local.ts'), ['--memory'], {
  env: { ...process.env, PORT: '0', LOG_LEVEL: 'silent' },
  stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
});
const [message] = await once(service, 'message');
const { address, settings } = Started.parse(message);
execFileSync(process.execPath, [join(ROOT, 'bin/demo.ts')], { env: { ...process.env, API: address } });
Object.assign(process.env, settings);

const items: object[] = [];
for await (const { Items = [] } of paginateScan(
  { client: new DynamoDBClient() },
  { TableName: settings['TABLE_NAME'] },
)) {
  items.push(...Items);
}
writeFileSync(join(import.meta.dirname, `${name}.json.gz`), gzipSync(JSON.stringify(items), { level: 9 }));
service.kill('SIGTERM');
await once(service, 'exit');
