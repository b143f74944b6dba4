import type { DynamoDBRecord } from 'aws-lambda';
import { afterAll, expect, test } from 'vitest';
import { arriveOffline, dropAnswer, dropRequest, duplicate, type Fault } from '#bench/chaos/fault.ts';
import { PriceEntry } from '#lib/catalog/price.ts';
import { entriesOf, writePriceEntries } from '#lib/catalog/price-entry.ts';
import { familyTenant, padId, type Tenant } from '#lib/table/keys.ts';
import { wholePartition } from '#lib/table/read/walk.ts';
import { withCalls } from '#tests/support/kill-after-calls.ts';
import { behindProxy, faultInTest } from '#tests/support/table-faults.ts';

const proxy = await behindProxy();

afterAll(() => proxy.stop());

const AT = Date.parse('2026-11-22T10:00:00Z');
const PRODUCTS = [1, 2];
const CHANGES = [1, 2, 3];

let tenants = 0;

function newHome(): Tenant {
  tenants += 1;
  return familyTenant(920_000_000_000 + process.pid * 1000 + tenants);
}

/** Builds a card after a change of its price: each costs a hundred more. */
function imageOf(tenant: Tenant, product: number, change: number) {
  const before = [{ N: String(100 * (change - 1)) }, { S: 'uzs' }, { NULL: true }];
  return {
    pk: { S: `product#${tenant}` },
    sk: { S: padId(product) },
    sale_price: { N: String(100 * change) },
    sale_currency: { S: 'uzs' },
    min_price: { NULL: true },
    price_change: {
      M: {
        id: { N: String(change) },
        cause: { S: 'card' },
        document_id: { NULL: true },
        creator_id: { N: '1' },
        created_at: { N: String(AT + change) },
        previous: change === 1 ? { NULL: true } : { L: before },
      },
    },
  };
}

function eventOf(tenant: Tenant, product: number, change: number): DynamoDBRecord {
  const NewImage = imageOf(tenant, product, change);
  const { pk, sk } = NewImage;
  return {
    dynamodb: {
      Keys: { pk, sk },
      ...(change > 1 && { OldImage: imageOf(tenant, product, change - 1) }),
      NewImage,
    },
  };
}

/** Builds the stream records of the changes of all prices. */
function batchOf(tenant: Tenant): DynamoDBRecord[] {
  return CHANGES.flatMap((change) => PRODUCTS.map((product) => eventOf(tenant, product, change)));
}

/** Expects each change of each price to have its entry once, as it was. */
async function expectWhole(tenant: Tenant): Promise<void> {
  for (const product of PRODUCTS) {
    const entries = await wholePartition(entriesOf(tenant, product));
    const told = entries.map((entry) => PriceEntry.parse(entry));
    expect(told.map(({ id, previous, price }) => [id, previous?.[0] ?? null, price[0]])).toEqual(
      CHANGES.map((change) => [change, change === 1 ? null : 100 * (change - 1), 100 * change]),
    );
  }
}

test('a batch that is cut off after any call comes again in any cut, and each change has its entry once', async () => {
  for (let calls = 0, isDone = false; !isDone; calls++) {
    const tenant = newHome();
    const batch = batchOf(tenant);
    isDone = await withCalls(calls, () => writePriceEntries(batch));
    if (!isDone) for (const half of [batch.slice(0, 3), batch.slice(3)]) await writePriceEntries(half);
    await expectWhole(tenant);
    if (isDone) expect(calls).toBe(PRODUCTS.length * CHANGES.length);
  }
});

test('versions that come twice, late and out of order leave the entries as they were', async () => {
  const tenant = newHome();
  const batch = batchOf(tenant);
  await writePriceEntries(batch.toReversed());
  await expectWhole(tenant);
  await Promise.all([writePriceEntries(batch), writePriceEntries([...batch, ...batch])]);
  await expectWhole(tenant);
});

test.each<[string, Fault]>([
  ['is lost', dropRequest],
  ['is done, and its answer lost', dropAnswer],
  ['comes late', arriveOffline(150)],
  ['comes twice', duplicate],
])('a call that %s loses no entry, whichever it is', async (_, fault) => {
  for (let call = 0; call < PRODUCTS.length * CHANGES.length; call++) {
    const tenant = newHome();
    let calls = 0;
    const set = faultInTest(proxy, () => calls++ === call, fault);
    await writePriceEntries(batchOf(tenant)).catch(() => writePriceEntries(batchOf(tenant)));
    expect(set.count).toBe(1);
    set.off();
    await proxy.idle();
    await expectWhole(tenant);
  }
});
