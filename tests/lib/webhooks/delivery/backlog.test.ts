import { expect, test } from 'vitest';
import { dispatchDue } from '#lib/webhooks/delivery/dispatch.ts';
import { enqueueDeliveries } from '#lib/webhooks/delivery/enqueue.ts';
import type { WebhookRef } from '#lib/webhooks/dispatch-state.ts';
import { call } from '#tests/support/http.ts';
import { notificationsOf } from '#tests/support/notifications.ts';
import { MAX_WAIT_MS } from '#tests/support/patience.ts';
import { deliveriesOf, startReceiver } from '#tests/support/receiver.ts';
import { make } from '#tests/support/records.ts';
import { deletionOf, LATER, newScene } from '#tests/support/webhook.ts';

/** Enqueues deletions of brands that never existed: unnoticed until they are dispatched. */
function tellOfMany(place: WebhookRef, count: number): Promise<void> {
  const ids = Array.from({ length: count }, (_, index) => 1_000_000 + index);
  return enqueueDeliveries(
    ids.map((id) => deletionOf(place, id)),
    LATER,
  );
}

/** Dispatches with another limit of pending deliveries, once the service has released the lease. */
async function turnWithLimit(place: WebhookRef, max: number, at = LATER): Promise<void> {
  await expect
    .poll(() => dispatchDue(place, () => at, { mostPending: max }), { interval: 20, timeout: MAX_WAIT_MS })
    .toBe(true);
}

test('more pending than the limit disable a webhook and tell the directors (Part 4, 4.2 (2))', async () => {
  const { place, brand, director, receiver } = await newScene();
  await enqueueDeliveries([deletionOf(place, brand)], LATER);
  await tellOfMany(place, 3);
  await turnWithLimit(place, 3);
  const { body } = await call(`GET /company/webhook/${place.id}`, { token: director });
  expect(body).toMatchObject({ is_active: false, disabled_reason: 'backlog' });
  expect(await notificationsOf(director)).toMatchObject([{ text: expect.stringContaining(receiver.url) }]);
  expect(receiver.got).toEqual([]);
  // Pending deliveries are dropped: they have failed.
  expect(await deliveriesOf(director, place.id, '?filter[status]=pending')).toEqual([]);
  const failed = await deliveriesOf(director, place.id, '?filter[status]=failed');
  expect(failed.map(({ status }) => status)).toEqual(['failed', 'failed', 'failed', 'failed']);
});

test('as many as the limit do not, and those that wait for another try count (Part 4, 4.2 (2))', async () => {
  const { place, brand, director, receiver } = await newScene();
  receiver.answerBy((response) => void response.writeHead(500).end());
  await enqueueDeliveries([deletionOf(place, brand)], LATER);
  await turnWithLimit(place, 1);
  const shown = () => call(`GET /company/webhook/${place.id}`, { token: director });
  expect((await shown()).body).toMatchObject({ is_active: true });
  await tellOfMany(place, 1);
  await turnWithLimit(place, 1);
  expect((await shown()).body).toMatchObject({ is_active: false, disabled_reason: 'backlog' });
});

test('more than a page is counted, at most every five minutes (Part 4, 4.2 (2))', async () => {
  const { place, director } = await newScene();
  const shown = async () => (await call(`GET /company/webhook/${place.id}`, { token: director })).body;
  // The service counts too, by the machine's clock.
  const now = Date.now();
  await tellOfMany(place, 205);
  await turnWithLimit(place, 205, now);
  await tellOfMany(place, 207);
  await turnWithLimit(place, 205, now);
  expect(await shown()).toMatchObject({ is_active: true });
  await turnWithLimit(place, 205, now + 6 * 60_000);
  expect(await shown()).toMatchObject({ is_active: false, disabled_reason: 'backlog' });
});

test('is_active: true wakes a webhook; what happened meanwhile is not sent (Part 4, 4.2 (2))', async () => {
  const { place, brand, director, id } = await newScene();
  const receiver = await startReceiver();
  const json = { url: receiver.url, types: ['product.brand.deleted'] };
  const put = (is_active: boolean) =>
    call(`PUT /company/webhook/${id}`, { token: director, json: { ...json, is_active } });
  expect((await put(false)).body).toMatchObject({ is_active: false, disabled_reason: null });
  await enqueueDeliveries([deletionOf(place, brand)], LATER);
  expect((await put(true)).body).toMatchObject({ is_active: true, disabled_at: null });
  await turnWithLimit(place, 3);
  expect(receiver.got).toEqual([]);
  const other = await make('/company/product/brand', director, { name: 'Кофе', image_old_keys: '[]' });
  await enqueueDeliveries([deletionOf(place, other)], LATER);
  await turnWithLimit(place, 3);
  expect(receiver.got.map(({ body }) => body.data.id)).toEqual([other]);
});
