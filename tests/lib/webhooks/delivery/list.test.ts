import { expect, test } from 'vitest';
import { putNew } from '#lib/table/change/write.ts';
import { newMeter, roundTripsOf, runInContext, unitsOf } from '#lib/table/request-context.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import { mapConcurrent, splitEvery } from '#lib/values/concurrency.ts';
import { enqueueDeliveries } from '#lib/webhooks/delivery/enqueue.ts';
import { deliveryKey } from '#lib/webhooks/delivery/keys.ts';
import { DeliveryList, listDeliveries } from '#lib/webhooks/delivery/list.ts';
import { newEnd } from '#lib/webhooks/delivery/pending.ts';
import { type EndStatus, expiryOf, type StoredDelivery } from '#lib/webhooks/delivery/record.ts';
import type { WebhookRef } from '#lib/webhooks/dispatch-state.ts';
import { directorAs } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { MAX_WAIT_MS } from '#tests/support/patience.ts';
import { deliveriesOf } from '#tests/support/receiver.ts';
import { deletionOf, dispatchAt, LATER, newScene } from '#tests/support/webhook.ts';

const UNSENT = 'product.brand.deleted';

/** Writes ended deliveries, as their dispatcher would. */
async function writeEnded(
  place: WebhookRef,
  ids: readonly number[],
  status: EndStatus,
  type = UNSENT,
): Promise<void> {
  const at = Date.now();
  const writes = ids.flatMap((id) => {
    const stored: StoredDelivery = {
      ...{ id, webhook_id: place.id, type, record_id: id, revision: 1, status, next_attempt_at: null },
      ...{ created_at: at, changed_at: at, company_id: null, tries: 0, generation: 1 },
      expires_at: expiryOf(status, at),
    };
    return [putNew(deliveryKey(place, id), stored), newEnd(place, id, status, at)];
  });
  await mapConcurrent(splitEvery(writes, 50), 4, (few) => transact(few));
}

async function measure(scene: Awaited<ReturnType<typeof newScene>>, query: object) {
  const meter = newMeter();
  const actor = directorAs(scene.directorId, scene.companyId);
  const page = await runInContext({ meter }, () =>
    listDeliveries(actor, scene.place.id, DeliveryList.parse(query), Date.now()),
  );
  return { ...page, units: unitsOf(meter), trips: roundTripsOf(meter) };
}

const range = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index);

test('a status is listed for the units of what has it, however many have another (Part 4, 4.2)', async () => {
  const scene = await newScene();
  const { place, brand } = scene;
  await writeEnded(place, range(10_000, 5), 'failed');
  await writeEnded(place, range(20_000, 1500), 'delivered');
  await enqueueDeliveries([deletionOf(place, brand)], LATER);

  const failed = await measure(scene, { filter: { status: 'failed' } });
  expect(failed.rows.map(({ id }) => id)).toEqual(range(10_000, 5).toReversed());
  expect(failed.total).toBe(5);
  // The webhook, five rows in a kilobyte, and of each delivery its header and its attempts.
  expect(failed.units).toBeLessThanOrEqual(13);
  expect(failed.trips).toBeLessThanOrEqual(4);

  const pending = await measure(scene, { filter: { status: 'pending' } });
  expect(pending).toMatchObject({ total: 1, rows: [{ record_id: brand }] });
  expect(pending.units).toBeLessThanOrEqual(5);

  const delivered = await measure(scene, { filter: { status: 'delivered' } });
  expect(delivered).toMatchObject({ total: 1500, rows: { length: 20 } });
  expect(delivered.rows[0]).toMatchObject({ id: 21_499 });
  // 1 500 rows of some eighty bytes, and forty items.
  expect(delivered.units).toBeLessThanOrEqual(80);

  const last = await measure(scene, { filter: { status: 'delivered' }, page: 8, 'page-size': 200 });
  expect(last.rows.map(({ id }) => id)).toEqual(range(20_000, 100).toReversed());
  expect((await measure(scene, {})).total).toBe(1506);
});

test('without a filter no more than three megabytes are read, the newest (Part 4, 4.2)', async () => {
  const scene = await newScene();
  // Each as large as a dozen.
  await writeEnded(scene.place, range(30_000, 900), 'delivered', `${UNSENT}${'.'.repeat(4500)}`);
  const page = await measure(scene, {});
  expect(page.rows[0]).toMatchObject({ id: 30_899 });
  expect(page.total).toBeLessThan(800);
  expect(page.units).toBeLessThanOrEqual(3 * 257 + 80);
});

test('what was dropped has failed, until it is sent again (Part 4, 4.2 (4), (5))', async () => {
  const scene = await newScene();
  const { place, brand, director, receiver } = scene;
  await enqueueDeliveries([deletionOf(place, brand)], LATER);
  const json = { url: `${receiver.url}/other`, types: [UNSENT] };
  await call(`PUT /company/webhook/${place.id}`, { token: director, json });
  const of = async (status: string) =>
    (await deliveriesOf(director, place.id, `?filter[status]=${status}`)).map(({ id }) => id);
  const [dropped] = await of('failed');
  expect(dropped).toBeGreaterThan(0);
  expect(await of('pending')).toEqual([]);
  const path = `/company/webhook/${place.id}/deliveries/${dropped}/redeliver`;
  expect((await call(`POST ${path}`, { token: director })).body).toMatchObject({ status: 'pending' });
  await expect.poll(() => of('delivered'), { timeout: MAX_WAIT_MS }).toEqual([dropped]);
  expect(await of('failed')).toEqual([]);
  expect(receiver.got).toHaveLength(1);
});

test('while a redelivered one is pending, no second of its record and event is made (Part 4, 4.2 (1))', async () => {
  const { place, brand, director, receiver } = await newScene();
  await enqueueDeliveries([deletionOf(place, brand)], LATER);
  await dispatchAt(place, LATER);
  receiver.answerBy((response) => void response.writeHead(500).end());
  const [{ id } = { id: 0 }] = await deliveriesOf(director, place.id);
  await call(`POST /company/webhook/${place.id}/deliveries/${id}/redeliver`, { token: director });
  await enqueueDeliveries([deletionOf(place, brand)], LATER);
  expect(await deliveriesOf(director, place.id)).toMatchObject([{ id, status: 'pending' }]);
});
