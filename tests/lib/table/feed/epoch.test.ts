import { expect, test } from 'vitest';
import { createTable } from '#bin/local/database.ts';
import { feedEpoch, raiseFeedEpoch } from '#lib/table/feed/epoch.ts';

test('an epoch is the same whenever it is read, until another begins, and none comes twice', async () => {
  // Readers of other tests go by the epoch of the table that all share.
  process.env['TABLE_NAME'] = `epoch-${process.pid}`;
  await createTable(String(process.env['AWS_ENDPOINT_URL_DYNAMODB']), process.env['TABLE_NAME']);
  const first = await feedEpoch();
  expect(await feedEpoch()).toBe(first);
  await raiseFeedEpoch();
  const second = await feedEpoch();
  expect(await feedEpoch()).toBe(second);
  await raiseFeedEpoch();
  expect(new Set([first, second, await feedEpoch()]).size).toBe(3);
});
