import { beforeEach, expect, test, vi } from 'vitest';
import { createTable } from '#bin/local/database/table.ts';
import { feedEpoch, invalidateFeed } from '#lib/table/feed/epoch.ts';

// Readers of other tests go by the epoch of the table that all share.
const OWN = `epoch-${process.pid}`;
const RESTORED = `epoch-restored-${process.pid}`;

beforeEach(async () => {
  for (const table of [RESTORED, OWN]) await use(table);
});

async function use(table: string): Promise<void> {
  vi.stubEnv('TABLE_NAME', table);
  await createTable(String(process.env['AWS_ENDPOINT_URL_DYNAMODB']), table);
}

test('an epoch is the same whenever it is read, until another begins, and none comes twice', async () => {
  const first = await feedEpoch('platform');
  expect(await feedEpoch('platform')).toBe(first);
  await invalidateFeed();
  const second = await feedEpoch('platform');
  expect(await feedEpoch('platform')).toBe(second);
  await invalidateFeed();
  expect(new Set([first, second, await feedEpoch('platform')]).size).toBe(3);
});

test('another table has another epoch, also the one to which is gone back (Part 4, 4.1 (6))', async () => {
  const own = await feedEpoch('platform');
  await use(RESTORED);
  const restored = await feedEpoch('platform');
  expect(restored).not.toBe(own);
  await use(OWN);
  expect(await feedEpoch('platform')).not.toBe(restored);
});
