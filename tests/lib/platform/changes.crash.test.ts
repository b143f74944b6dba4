import type { DynamoDBRecord } from 'aws-lambda';
import { afterAll, expect, test } from 'vitest';
import { arriveOffline, dropAnswer, dropRequest, duplicate, type Fault } from '#bench/chaos/fault.ts';
import { consumeChanges } from '#lib/platform/changes.ts';
import { type FeedEntry, readFeed } from '#lib/table/feed/pages.ts';
import { familyTenant, padId, type Tenant } from '#lib/table/keys.ts';
import { wholeActivity, wholeFeed } from '#tests/support/followed.ts';
import { withCalls } from '#tests/support/kill-after-calls.ts';
import { behindProxy, faultInTest } from '#tests/support/table-faults.ts';

const proxy = await behindProxy();

afterAll(() => proxy.stop());

const AT = Date.parse('2026-11-22T10:00:00Z');

let tenants = 0;
let events = 0;

function newHome(): Tenant {
  tenants += 1;
  return familyTenant(910_000_000_000 + process.pid * 1000 + tenants);
}

/** Builds the event of a brand's change to a version. */
function eventOf(tenant: Tenant, id: number, version: number): DynamoDBRecord {
  const image = (of: number) => ({
    pk: { S: `brand#${tenant}` },
    sk: { S: padId(id) },
    id: { N: String(id) },
    company_id: { N: '1' },
    is_deleted: { BOOL: false },
    version: { N: String(of) },
  });
  const { pk, sk } = image(0);
  events += 1;
  return {
    dynamodb: {
      Keys: { pk, sk },
      ApproximateCreationDateTime: AT / 1000,
      SequenceNumber: String(events).padStart(21, '0'),
      ...(version > 1 && { OldImage: image(version - 1) }),
      NewImage: image(version),
    },
  };
}

const idsIn = async (tenant: Tenant) => (await wholeFeed(tenant)).map(([, id]) => id);

test('a batch that is cut off after any call comes again, and its feed and activity are whole', async () => {
  for (let calls = 0, isDone = false; !isDone; calls++) {
    const tenant = newHome();
    await consumeChanges([eventOf(tenant, 9, 1)], AT);
    const batch = [1, 2, 3].map((id) => eventOf(tenant, id, 1));
    isDone = await withCalls(calls, () => consumeChanges(batch, AT));
    if (!isDone) for (const half of [batch.slice(0, 1), batch.slice(1)]) await consumeChanges(half, AT);
    expect(new Set(await idsIn(tenant))).toEqual(new Set([9, 1, 2, 3]));
    expect((await wholeActivity(tenant)).map(({ record_id }) => record_id).sort()).toEqual([1, 2, 3, 9]);
  }
});

test.each<[string, Fault]>([
  ['is lost', dropRequest],
  ['is done, and its answer lost', dropAnswer],
  ['comes late', arriveOffline(150)],
  ['comes twice', duplicate],
])('a call that %s loses nothing, whichever it is', async (_, fault) => {
  for (let call = 0; call < 4; call++) {
    const tenant = newHome();
    await consumeChanges([eventOf(tenant, 9, 1)], AT);
    let calls = 0;
    const set = faultInTest(proxy, () => calls++ === call, fault);
    await consumeChanges([eventOf(tenant, 1, 1), eventOf(tenant, 2, 1)], AT).catch(() => undefined);
    set.off();
    await consumeChanges([eventOf(tenant, 1, 1), eventOf(tenant, 2, 1)], AT);
    expect(new Set(await idsIn(tenant))).toEqual(new Set([9, 1, 2]));
  }
});

/** Shard: its records in order, and its consumer's position. */
interface Shard {
  readonly told: DynamoDBRecord[];
  done: number;
}

const chance = (percent: number) => Math.random() * 100 < percent;

/** Consumes a shard as Lambda would at its worst: batches fail, are halved, arrive twice and late. */
async function follow(shard: Shard, isOver: () => boolean, isFrozen: () => boolean): Promise<void> {
  while (!isOver() || shard.done < shard.told.length) {
    const batch = shard.told.slice(shard.done, shard.done + 1 + Math.floor(Math.random() * 8));
    if (batch.length === 0 || isFrozen()) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      continue;
    }
    const isWhole = chance(40)
      ? await withCalls(Math.floor(Math.random() * 5), run(batch))
      : await run(batch)();
    if (isWhole === false) continue;
    shard.done += batch.length;
    // An older batch once more, in another order.
    if (chance(15)) await run(shard.told.slice(0, 5).reverse())();
  }
}

const run = (batch: readonly DynamoDBRecord[]) => () => consumeChanges(batch, AT);

/** Reads a feed page by page, until it is empty after the end of writes. */
async function readToEnd(tenant: Tenant, isOver: () => boolean, take: (entry: FeedEntry) => unknown) {
  for (let after = 0; ; ) {
    const wasOver = isOver();
    const pages = (await readFeed(tenant, after, 4)) ?? [];
    pages.flatMap(({ entries }) => entries).forEach(take);
    after = pages.at(-1)?.number ?? after;
    if (wasOver && pages.length === 0) return;
  }
}

test('a reader that has read the feed to its end, page by page, has each record as it is', async () => {
  for (let round = 0; round < 2; round++) {
    const tenant = newHome();
    const versions = new Map<number, number>();
    const copy = new Map<number, number | undefined>();
    const shards = Array.from({ length: 3 }, (): Shard => ({ told: [], done: 0 }));
    let [isWritten, isFollowed] = [false, false];
    const writer = async () => {
      for (let change = 0; change < 120; change++) {
        const id = 1 + Math.floor(Math.random() * 25);
        const version = (versions.get(id) ?? 0) + 1;
        versions.set(id, version);
        shards[id % 3]?.told.push(eventOf(tenant, id, version));
        if (chance(30)) await new Promise((resolve) => setTimeout(resolve, 10));
      }
      isWritten = true;
    };
    const reader = readToEnd(
      tenant,
      () => isFollowed,
      ([, id]) => copy.set(id, versions.get(id)),
    );
    // One shard is stalled until all others are consumed.
    const others = shards.slice(1);
    const isStanding = (shard: Shard) =>
      shard === shards[0] && others.some(({ told, done }) => !isWritten || done < told.length);
    const followers = Promise.all(
      shards.map((shard) =>
        follow(
          shard,
          () => isWritten,
          () => isStanding(shard),
        ),
      ),
    ).then(() => {
      isFollowed = true;
    });
    await Promise.all([writer(), followers, reader]);
    expect(Object.fromEntries(copy)).toEqual(Object.fromEntries(versions));
  }
});
