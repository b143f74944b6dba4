import { expect, test, vi } from 'vitest';
import { dropAnswer } from '#bench/chaos/fault.ts';
import { getItem } from '#lib/table/read/get.ts';
import { wholePartition } from '#lib/table/read/walk.ts';
import { dispatchDue } from '#lib/webhooks/delivery/dispatch.ts';
import { enqueueDeliveries } from '#lib/webhooks/delivery/enqueue.ts';
import { deliveryKey, deliveryPartition } from '#lib/webhooks/delivery/keys.ts';
import { redeliver } from '#lib/webhooks/delivery/on-demand.ts';
import { sweepDue } from '#lib/webhooks/delivery/schedule.ts';
import { dispatchStateKey } from '#lib/webhooks/dispatch-state.ts';
import { leaseRunsOut } from '#tests/support/clock.ts';
import { directorAs } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { withCalls } from '#tests/support/kill-after-calls.ts';
import { MAX_WAIT_MS } from '#tests/support/patience.ts';
import { deliveriesOf } from '#tests/support/receiver.ts';
import { make } from '#tests/support/records.ts';
import { behindProxy, showInPart } from '#tests/support/table-faults.ts';
import { deletionOf, dispatchAt, LATER, newScene } from '#tests/support/webhook.ts';

const HOUR = 3_600_000;

const proxy = await behindProxy();

type Scene = Awaited<ReturnType<typeof newScene>>;

test('a consumer that enqueues deliveries may be killed at every call: called again, it enqueues them (Part 4, 4.2 (1))', async () => {
  const scene = await newScene();
  const calls = await untilItLives(scene, async (change, call) => {
    const lived = await withCalls(call, () => enqueueDeliveries([change], LATER));
    await enqueueDeliveries([change], LATER);
    await dispatchAt(scene.place, LATER);
    return lived;
  });
  expect(calls).toBeGreaterThan(4);
});

test('a dispatcher may be killed at every call: once its lease is over, the delivery is sent (Part 4, 4.2 (1))', async () => {
  const scene = await newScene();
  const calls = await untilItLives(scene, async (change, call) => {
    await enqueueDeliveries([change], LATER);
    const lived = await turnWithin(scene, call);
    leaseRunsOut();
    await dispatchAt(scene.place, LATER);
    vi.restoreAllMocks();
    await letGo(scene);
    return lived;
  });
  expect(calls).toBeGreaterThan(8);
});

test('any answer of the table may be lost while deliveries are made and sent (Part 4, 4.2 (1))', async () => {
  const scene = await newScene();
  const calls = await untilItLives(scene, async (change, call) => {
    let calls = 0;
    const rule = proxy.on(() => calls++ === call, dropAnswer);
    const all = async () => {
      await enqueueDeliveries([change], LATER);
      await dispatchAt(scene.place, LATER);
    };
    await all().catch(async () => {
      leaseRunsOut();
      await all();
      vi.restoreAllMocks();
    });
    const isMet = rule.count > 0;
    rule.off();
    await proxy.idle();
    await letGo(scene);
    return !isMet;
  });
  expect(calls).toBeGreaterThan(10);
});

test.each([
  ['its delivery', 'webhook-delivery#'],
  ['its claim', 'webhook-claim#'],
])(
  'a turn that sees a pointer before %s sends it, and what comes after it (Part 4, 4.2 (1))',
  async (_, late) => {
    const { place, brand, receiver } = await newScene();
    const isLate = ({ pk }: { pk: string }) => pk.startsWith(late);
    const of = ({ pk }: { pk: string }) => pk.startsWith(`webhook-delivery#${place.tenant}#`);
    const tell = () => enqueueDeliveries([deletionOf(place, brand)], LATER);
    await showInPart(proxy, { of, isLate }, tell, () => dispatchDue(place, () => LATER));
    await dispatchAt(place, LATER);
    expect(receiver.got.map(({ body }) => body.data.id)).toEqual([brand]);
    await tell();
    await dispatchAt(place, LATER);
    expect(receiver.got.map(({ body }) => body.data.id)).toEqual([brand, brand]);
  },
);

test('a manual retry may be killed at every call (Part 4, 4.2 (5))', async () => {
  const { place, brand, director, directorId, companyId, receiver } = await newScene();
  receiver.answerBy((response) => void response.writeHead(410).end());
  await enqueueDeliveries([deletionOf(place, brand)], LATER);
  await dispatchAt(place, LATER);
  receiver.answerBy((response) => void response.end());
  const json = { url: receiver.url, types: ['product.brand.deleted'], is_active: true };
  await call(`PUT /company/webhook/${place.id}`, { token: director, json });
  const [{ id } = { id: 0 }] = await deliveriesOf(director, place.id);
  const statusNow = async () => (await deliveriesOf(director, place.id))[0]?.status;
  const actor = directorAs(directorId, companyId);
  let calls = 0;
  // Each an hour after the other, as that many a minute would be 429.
  for (let lived = false; !lived; calls++) {
    const before = await statusNow();
    const at = Date.now() - 100 * HOUR + calls * HOUR;
    const again = (after: number) => () => redeliver(actor, { model: place.id, delivery: id }, at + after);
    lived = await withCalls(calls, again(0));
    const isPending = (await getItem(deliveryKey(place, id)))?.['status'] === 'pending';
    if (!isPending && !lived && receiver.got.length === calls + 1) {
      expect(await statusNow()).toBe(before);
      await again(1)();
    }
    await sweepDue(Date.now());
    await expect.poll(statusNow, { timeout: MAX_WAIT_MS }).toBe('delivered');
    expect(receiver.got.length).toBeGreaterThan(calls + 1);
  }
  expect(calls).toBeGreaterThan(8);
});

test('who was frozen while it sent, and thaws later, changes nothing any more', async () => {
  const scene = await newScene();
  const { receiver, place, brand } = scene;
  const held = Promise.withResolvers<void>();
  let isFirst = true;
  receiver.answerBy((response) => {
    const wait = isFirst ? held.promise : Promise.resolve();
    isFirst = false;
    void wait.then(() => response.end());
  });
  await enqueueDeliveries([deletionOf(place, brand)], LATER);
  const frozen = dispatchAt(place, LATER);
  await expect.poll(() => receiver.got.length).toBe(1);
  leaseRunsOut();
  await dispatchAt(place, LATER);
  expect(receiver.got).toHaveLength(2);
  held.resolve();
  await frozen;
  expect(await standing(scene)).toEqual(['delivered']);
});

test('several that contend for a dispatch lease never send more than five at once (Part 4, 4.2 (3))', async () => {
  const { place, director, receiver } = await newScene();
  const brands = await Promise.all(
    Array.from({ length: 15 }, (_, index) =>
      make('/company/product/brand', director, { name: `Чай ${index}`, image_old_keys: '[]' }),
    ),
  );
  let [now, max] = [0, 0];
  receiver.answerBy((response) => {
    now += 1;
    max = Math.max(max, now);
    setTimeout(() => {
      now -= 1;
      response.end();
    }, 100);
  });
  const told = brands.map((brand) => enqueueDeliveries([deletionOf(place, brand)], LATER));
  await Promise.all([...told, ...[1, 2, 3].map(() => dispatchDue(place, () => LATER))]);
  await dispatchAt(place, LATER);
  expect(new Set(receiver.got.map(({ body }) => body.data.id))).toEqual(new Set(brands));
  expect(max).toBeLessThanOrEqual(5);
});

/**
 * Disrupts the event of a new brand each time, at one call after the other, until no call is left to disrupt.
 * Each event must have been received, and no delivery be left pending. Returns the number of runs.
 */
async function untilItLives(
  scene: Scene,
  disrupt: (change: ReturnType<typeof deletionOf>, call: number) => Promise<boolean>,
): Promise<number> {
  for (let call = 0; ; call++) {
    const brand = await make('/company/product/brand', scene.director, {
      name: `Чай ${call}`,
      image_old_keys: '[]',
    });
    const lived = await disrupt(deletionOf(scene.place, brand), call);
    const heard = scene.receiver.got.filter(({ body }) => body.data.id === brand);
    expect([call, heard.length > 0]).toEqual([call, true]);
    expect([call, await standing(scene)]).toEqual([call, expect.not.arrayContaining(['pending'])]);
    if (lived) return call;
  }
}

/** Dispatches once the lease is free, and is killed after a number of calls; returns whether it survived. */
async function turnWithin({ place }: Scene, calls: number): Promise<boolean> {
  for (;;) {
    let hadLane = true;
    const lived = await withCalls(calls, async () => {
      hadLane = await dispatchDue(place, () => LATER);
    });
    if (!lived || hadLane) return lived;
  }
}

/** Lists the statuses of a webhook's deliveries. */
async function standing({ place }: Scene): Promise<unknown[]> {
  return (await wholePartition(deliveryPartition(place))).map(({ status }) => status);
}

/** Waits until the lease has expired by the time of day. */
async function letGo({ place }: Scene): Promise<void> {
  await expect
    .poll(async () => (await getItem(dispatchStateKey(place)))?.['lease_until'] ?? 0)
    .toSatisfy((until) => Number(until) < Date.now());
}
