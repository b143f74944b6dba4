import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { dynamo, tableName } from '#lib/table/client.ts';
import { appendToFeed, type FeedEntry, feedEnd, readFeed } from '#lib/table/feed/pages.ts';
import { partitionItems } from '#lib/table/items.ts';
import { familyTenant, padId, type Tenant } from '#lib/table/keys.ts';
import { splitEvery } from '#lib/values/concurrency.ts';

const AT = Date.parse('2026-11-22T10:00:00Z');

let tenants = 0;

/** Returns an unused family tenant. */
function newHome(): Tenant {
  tenants += 1;
  return familyTenant(900_000_000_000 + process.pid * 1000 + tenants);
}

const entry = (id: number): FeedEntry => ['trade.sale', id, 1, null, null];

const idsIn = (pages: Awaited<ReturnType<typeof readFeed>>) =>
  pages?.flatMap(({ entries }) => entries.map(([, id]) => id));

test('what is appended is read in its order, three hundred entries to a page, each record once', async () => {
  const tenant = newHome();
  expect(await feedEnd(tenant)).toBe(0);
  const ids = Array.from({ length: 650 }, (_, index) => index + 1);
  await appendToFeed(tenant, [...ids, 1, 2].map(entry), AT);
  expect(await feedEnd(tenant)).toBe(3);
  const pages = await readFeed(tenant, 0, 10);
  expect(pages?.map(({ number, entries }) => [number, entries.length])).toEqual([
    [1, 300],
    [2, 300],
    [3, 50],
  ]);
  expect(idsIn(pages)).toEqual(ids);
  expect(idsIn(await readFeed(tenant, 2, 10))).toHaveLength(50);
  expect(await readFeed(tenant, 3, 10)).toEqual([]);
});

test('many who append at once leave no gap, and a reader beside them misses nothing', async () => {
  const tenant = newHome();
  const ids = Array.from({ length: 32 }, (_, index) => index + 1);
  let isOver = false;
  const seen: number[] = [];
  const reader = async () => {
    for (let after = 0; ; ) {
      const wasOver = isOver;
      const pages = (await readFeed(tenant, after, 3)) ?? [];
      seen.push(...(idsIn(pages) ?? []));
      after = pages.at(-1)?.number ?? after;
      if (wasOver && pages.length === 0) return;
    }
  };
  const shard = async (few: readonly number[]) => {
    for (const id of few) await appendToFeed(tenant, [entry(id)], AT);
  };
  const writers = Promise.all(splitEvery(ids, 4).map(shard)).then(() => {
    isOver = true;
  });
  await Promise.all([reader(), writers]);
  expect(seen.toSorted((a, b) => a - b)).toEqual(ids);
  expect(await feedEnd(tenant)).toBe(ids.length);
});

test('every page but the newest ends after 32 days, and a reader who comes then finds a gap', async () => {
  const tenant = newHome();
  for (const id of [1, 2, 3]) await appendToFeed(tenant, [entry(id)], AT);
  const items = await partitionItems(`feed#${tenant}`);
  const end = AT / 1000 + 32 * 24 * 60 * 60;
  expect(items.map(({ expires_at }) => expires_at)).toEqual([end, end, undefined]);
  for (const number of [1, 2]) {
    const Key = { pk: `feed#${tenant}`, sk: padId(number) };
    await dynamo.send(new DeleteCommand({ TableName: tableName(), Key }));
  }
  expect(await readFeed(tenant, 0, 10)).toBeUndefined();
  expect(idsIn(await readFeed(tenant, 2, 10))).toEqual([3]);
  await appendToFeed(tenant, [entry(4)], AT);
  expect(await feedEnd(tenant)).toBe(4);
});
