import { afterEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { readBooks } from '#bin/verify/family.ts';
import { recordKey } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import { dispatchDue } from '#lib/webhooks/delivery/dispatch.ts';
import { enqueueDeliveries } from '#lib/webhooks/delivery/enqueue.ts';
import { DeliveryList, listDeliveries } from '#lib/webhooks/delivery/list.ts';
import { sweepDue } from '#lib/webhooks/delivery/schedule.ts';
import { leaveSlot, slotsIn, slotsKey, takeSlot } from '#lib/webhooks/slots.ts';
import { directorAs, newRole } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { MAX_WAIT_MS } from '#tests/support/patience.ts';
import { newProgramKey, setKeyEnd } from '#tests/support/program-keys.ts';
import { addWebhook, deliveriesOf, verify } from '#tests/support/receiver.ts';
import { make } from '#tests/support/records.ts';
import { insertUser } from '#tests/support/users.ts';
import { deletionOf, dispatchAt, LATER, newScene } from '#tests/support/webhook.ts';

const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000];

test('what happened is sent, signed, thin and with the newest revision (Part 4, 4.2)', async () => {
  const { place, brand, receiver, secret, companyId } = await newScene();
  await enqueueDeliveries([deletionOf(place, brand)], LATER);
  await dispatchAt(place, LATER);
  const [got] = receiver.got;
  if (!got) throw new Error('Nothing came');
  const data = { type: 'product.brand', id: brand, revision: 1, company_id: companyId };
  const told = { type: 'product.brand.deleted', timestamp: new Date(LATER).toISOString(), data };
  expect(verify(secret, got)).toEqual(told);
  expect(got.headers).toMatchObject({
    'content-type': 'application/json',
    'webhook-id': expect.stringMatching(new RegExp(`^msg_${companyId}_${place.id}_\\d+$`)),
  });
});

test('while one of a record and event is pending, no second is made (Part 4, 4.2 (1))', async () => {
  const { place, brand, receiver, director } = await newScene();
  for (let times = 0; times < 3; times++) await enqueueDeliveries([deletionOf(place, brand)], LATER);
  expect(await deliveriesOf(director, place.id)).toMatchObject([{ status: 'pending', attempts: [] }]);
  await dispatchAt(place, LATER);
  // The first event was enqueued again before it was read, so none is left to send.
  expect(receiver.got).toHaveLength(1);
  expect(await deliveriesOf(director, place.id)).toMatchObject([{ status: 'delivered', revision: 1 }]);
  await enqueueDeliveries([deletionOf(place, brand)], LATER);
  await dispatchAt(place, LATER);
  expect(receiver.got).toHaveLength(2);
});

test('what changes while it is sent is sent again (Part 4, 4.2 (1))', async () => {
  const { place, brand, receiver, director } = await newScene();
  let isFirst = true;
  receiver.answerBy((response) => {
    const again = isFirst ? enqueueDeliveries([deletionOf(place, brand)], LATER) : undefined;
    isFirst = false;
    void Promise.resolve(again).then(() => response.end());
  });
  await enqueueDeliveries([deletionOf(place, brand)], LATER);
  await dispatchAt(place, LATER);
  expect(receiver.got).toHaveLength(2);
  const ids = receiver.got.map(({ headers }) => headers['webhook-id']);
  expect(new Set(ids).size).toBe(2);
  const statuses = (await deliveriesOf(director, place.id)).map(({ status }) => status);
  expect(statuses).toEqual(['delivered', 'delivered']);
});

test('who fails is tried again after each step of the ladder, then it has failed (Part 4, 4.2 (1))', async () => {
  const { place, brand, receiver, director } = await newScene();
  receiver.answerBy((response) => void response.writeHead(500).end('down'));
  await enqueueDeliveries([deletionOf(place, brand)], LATER);
  const steps = [0, 5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR];
  let at = LATER;
  for (const [tries, step] of [...steps, 20 * HOUR, 24 * HOUR].entries()) {
    at += step;
    await dispatchAt(place, at - 1);
    expect(receiver.got).toHaveLength(tries);
    await dispatchAt(place, at);
    expect(receiver.got).toHaveLength(tries + 1);
  }
  const [row] = await deliveriesOf(director, place.id);
  expect(row).toMatchObject({ status: 'failed', next_attempt_at: null });
  expect(row?.attempts).toHaveLength(10);
  expect(row?.attempts[0]).toMatchObject({ status_code: 500, answer: 'down' });
  expect(new Set(receiver.got.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  // Ten attempts take less than five days: nothing is disabled.
  const { body } = await call(`GET /company/webhook/${place.id}`, { token: director });
  expect(body).toMatchObject({ is_active: true });
});

test('a longer Retry-After is kept to, at most the next step (Part 4, 4.2 (1))', async () => {
  const { place, brand, receiver } = await newScene();
  receiver.answerBy((response) => void response.writeHead(503, { 'retry-after': '60' }).end());
  await enqueueDeliveries([deletionOf(place, brand)], LATER);
  await dispatchAt(place, LATER);
  await dispatchAt(place, LATER + 59 * SECOND);
  expect(receiver.got).toHaveLength(1);
  receiver.answerBy((response) => void response.writeHead(503, { 'retry-after': '999999' }).end());
  await dispatchAt(place, LATER + 60 * SECOND);
  expect(receiver.got).toHaveLength(2);
  await dispatchAt(place, LATER + MINUTE + 30 * MINUTE - 1);
  expect(receiver.got).toHaveLength(2);
  await dispatchAt(place, LATER + MINUTE + 30 * MINUTE);
  expect(receiver.got).toHaveLength(3);
});

test('delivered ones are kept for 3 days, failed ones for 30, as the clock tells (Part 4, 4.2)', async () => {
  const { place, brand, receiver, companyId, directorId } = await newScene();
  await enqueueDeliveries([deletionOf(place, brand)], LATER);
  await dispatchAt(place, LATER);
  receiver.answerBy((response) => void response.writeHead(410).end());
  await enqueueDeliveries([deletionOf(place, brand)], LATER);
  await dispatchAt(place, LATER);
  const director = directorAs(directorId, companyId);
  const keptAfter = async (ms: number) => {
    const { rows } = await listDeliveries(director, place.id, DeliveryList.parse({}), LATER + ms);
    return rows.map(({ status }) => status);
  };
  expect(await keptAfter(3 * DAY - MINUTE)).toEqual(['failed', 'delivered']);
  expect(await keptAfter(3 * DAY + MINUTE)).toEqual(['failed']);
  expect(await keptAfter(30 * DAY - MINUTE)).toEqual(['failed']);
  expect(await keptAfter(30 * DAY + MINUTE)).toEqual([]);
});

test('410 disables a webhook at once, and tells the directors (Part 4, 4.2 (2))', async () => {
  const { place, brand, receiver, director } = await newScene();
  receiver.answerBy((response) => void response.writeHead(410).end());
  await enqueueDeliveries([deletionOf(place, brand)], LATER);
  await dispatchAt(place, LATER);
  const { body } = await call(`GET /company/webhook/${place.id}`, { token: director });
  expect(body).toMatchObject({ is_active: false, disabled_reason: 'receiver' });
  expect(await textsOf(director)).toEqual([expect.stringContaining(receiver.url)]);
  expect(await deliveriesOf(director, place.id)).toMatchObject([{ status: 'failed' }]);
});

test('five days of failures with ten tries disable it; is_active wakes it (Part 4, 4.2 (2))', async () => {
  const { place, brand, receiver, director } = await newScene();
  receiver.answerBy((response) => void response.writeHead(500).end());
  await enqueueDeliveries([deletionOf(place, brand)], LATER);
  await dispatchAt(place, LATER);
  const failing = await call(`GET /company/webhook/${place.id}`, { token: director });
  expect(failing.body).toMatchObject({ is_active: true, failing_since: expect.any(String) });
  for (let tries = 1; tries < 9; tries++) await dispatchAt(place, LATER + tries * DAY);
  const active = await call(`GET /company/webhook/${place.id}`, { token: director });
  expect(active.body).toMatchObject({ is_active: true, failing_since: failing.text('failing_since') });
  await dispatchAt(place, LATER + 10 * DAY);
  const disabled = await call(`GET /company/webhook/${place.id}`, { token: director });
  expect(disabled.body).toMatchObject({ is_active: false, disabled_reason: 'failures' });
  expect(disabled.text('failing_since')).toBe(failing.text('failing_since'));
  expect(await textsOf(director)).toHaveLength(1);

  await enqueueDeliveries([deletionOf(place, brand)], LATER);
  const json = { url: receiver.url, types: ['product.brand.deleted'], is_active: true };
  const woken = await call(`PUT /company/webhook/${place.id}`, { token: director, json });
  expect(woken.body).toMatchObject({ is_active: true, disabled_at: null, disabled_reason: null });
  expect(woken.body).toMatchObject({ failing_since: null });
  const before = receiver.got.length;
  await dispatchAt(place, LATER + 20 * DAY);
  expect(receiver.got).toHaveLength(before);
});

describe('as the key that seals secrets changes', () => {
  const known = process.env['SEALING_SECRET'] ?? '';
  afterEach(() => keys(['1', known], ''));

  const keys = (used: [string, string], believed: string) => {
    vi.stubEnv('SEALING_SECRET', used[1]);
    vi.stubEnv('SEALING_KEY_NUMBER', used[0]);
    vi.stubEnv('SEALING_SECRET_BELIEVED', believed);
  };

  test('a webhook is sealed anew when it sends, and goes on under the next key alone', async () => {
    const { place, brand, receiver, secret } = await newScene();
    const sendNow = async () => {
      await enqueueDeliveries([deletionOf(place, brand)], LATER);
      await dispatchAt(place, LATER);
    };
    const key = recordKey('webhook', place.tenant, place.id);
    const counted = async () => [...(await readBooks(Number(place.tenant.slice(7)))).counts.keys()];
    expect(await counted()).toContain('webhook secrets under key 1');
    keys(['2', 'the second'], known);
    await sendNow();
    const sealed = (await getItem(key))?.['sealed'];
    expect(sealed).toMatch(/^2:/);
    expect(await counted()).toContain('webhook secrets under key 2');
    await sendNow();
    expect((await getItem(key))?.['sealed']).toBe(sealed);
    keys(['2', 'the second'], 'the third');
    await sendNow();
    expect(receiver.got).toHaveLength(3);
    for (const got of receiver.got)
      expect(verify(secret, got)).toMatchObject({ type: 'product.brand.deleted' });
  });

  test('one that no key opens is disabled and its directors are notified; another secret wakes it', async () => {
    const { place, brand, receiver, director } = await newScene();
    keys(['3', 'the third'], 'the fourth');
    await enqueueDeliveries([deletionOf(place, brand)], LATER);
    await dispatchAt(place, LATER);
    const { body } = await call(`GET /company/webhook/${place.id}`, { token: director });
    expect(body).toMatchObject({ is_active: false, disabled_reason: 'failures' });
    expect(await textsOf(director)).toEqual([expect.stringContaining('его секрет больше нельзя прочитать')]);
    keys(['1', known], '');
    const rotated = await call(`POST /company/webhook/${place.id}/rotate-secret`, { token: director });
    const json = { url: receiver.url, types: ['product.brand.deleted'], is_active: true };
    await call(`PUT /company/webhook/${place.id}`, { token: director, json });
    await enqueueDeliveries([deletionOf(place, brand)], LATER);
    await dispatchAt(place, LATER);
    expect(receiver.got.map((got) => verify(rotated.text('secret'), got))).toHaveLength(1);
  });
});

test('a success ends a row of failures (Part 4, 4.2 (2))', async () => {
  const { place, brand, receiver, director } = await newScene();
  receiver.answerBy((response) => void response.writeHead(500).end());
  await enqueueDeliveries([deletionOf(place, brand)], LATER);
  await dispatchAt(place, LATER);
  receiver.answerBy((response) => void response.end());
  await dispatchAt(place, LATER + DAY);
  const { body } = await call(`GET /company/webhook/${place.id}`, { token: director });
  expect(body).toMatchObject({ failing_since: null, last_delivered_at: '2031-01-02 05:00:00' });
});

test('at most five at once, and after three failures one at a time (Part 4, 4.2 (3))', async () => {
  const { place, director, receiver } = await newScene();
  const brands = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      make('/company/product/brand', director, { name: `Чай ${index}`, image_old_keys: '[]' }),
    ),
  );
  let [now, max] = [0, 0];
  let status = 200;
  receiver.answerBy((response) => {
    now += 1;
    max = Math.max(max, now);
    setTimeout(() => {
      now -= 1;
      response.writeHead(status).end();
    }, 50);
  });
  await enqueueDeliveries(
    brands.map((brand) => deletionOf(place, brand)),
    LATER,
  );
  await dispatchAt(place, LATER);
  expect(receiver.got).toHaveLength(12);
  expect(max).toBe(5);

  status = 500;
  await enqueueDeliveries(
    brands.map((brand) => deletionOf(place, brand)),
    LATER,
  );
  await dispatchAt(place, LATER);
  const failed = receiver.got.length - 12;
  expect(failed).toBeGreaterThanOrEqual(3);
  expect(failed).toBeLessThanOrEqual(7);
  max = 0;
  await dispatchAt(place, LATER);
  expect(receiver.got).toHaveLength(12 + failed + 1);
  status = 200;
  await dispatchAt(place, LATER);
  expect(receiver.got.length).toBeGreaterThanOrEqual(12 + 12);
});

test('after an answer that took over 2 s it is one at a time with 10 s between, until one is quicker (Part 4, 4.2 (3))', async () => {
  const { place, director, receiver } = await newScene();
  const brands = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      make('/company/product/brand', director, { name: `Чай ${index}`, image_old_keys: '[]' }),
    ),
  );
  const tell = () =>
    enqueueDeliveries(
      brands.map((brand) => deletionOf(place, brand)),
      LATER,
    );
  receiver.answerBy((response) => void setTimeout(() => response.end(), 2100));
  await tell();
  await dispatchAt(place, LATER, 2000);
  const first = receiver.got.length;
  expect(first).toBeLessThanOrEqual(5);
  // It backs off: events enqueued in that time wake no dispatcher.
  await tell();
  for (const wait of [0, 9]) expect(await dispatchDue(place, () => LATER + wait * SECOND)).toBe(false);
  expect(receiver.got).toHaveLength(first);
  await dispatchAt(place, LATER + 10 * SECOND, 2000);
  expect(receiver.got).toHaveLength(first + 1);
  expect(await dispatchDue(place, () => LATER + 19 * SECOND)).toBe(false);
  receiver.answerBy((response) => void response.end());
  await dispatchAt(place, LATER + 20 * SECOND);
  expect(receiver.got.length).toBeGreaterThan(first + 2);
  expect(await deliveriesOf(director, place.id, '?filter[status]=pending')).toEqual([]);
});

test('at most three webhooks of a family are served at once, and none of another waits for them (Part 4, 4.2 (3))', async () => {
  const { place, brand, receiver } = await newScene();
  const { tenant } = place;
  const read = async () => slotsIn(await getItem(slotsKey(tenant)));
  const leaseOf = (id: number) => ({ place: { tenant, id }, holder: `holder-${id}`, until: 0 });
  const nobody = slotsIn(undefined);
  const taken = await Promise.all([901, 902, 903].map((id) => takeSlot(leaseOf(id), nobody)));
  expect(new Set(taken.map((slot) => slot?.name)).size).toBe(3);
  for (const slots of [nobody, await read()]) expect(await takeSlot(leaseOf(904), slots)).toBeUndefined();
  // The next holder of a webhook's lease after a crash takes over its slot.
  expect(await takeSlot({ ...leaseOf(902), holder: 'next' }, await read())).toMatchObject({
    name: taken[1]?.name,
  });

  await enqueueDeliveries([deletionOf(place, brand)], LATER);
  expect(await dispatchDue(place, () => LATER)).toBe(false);
  expect(receiver.got).toEqual([]);
  const neighbour = await newScene();
  await enqueueDeliveries([deletionOf(neighbour.place, neighbour.brand)], LATER);
  await dispatchAt(neighbour.place, LATER);
  expect(neighbour.receiver.got).toHaveLength(1);

  const [free] = taken;
  if (free) await leaveSlot(free);
  let at = LATER;
  const turn = () => {
    at += 3 * SECOND;
    const now = at;
    return dispatchDue(place, () => now);
  };
  await expect.poll(turn, { interval: 20, timeout: MAX_WAIT_MS }).toBe(true);
  expect(receiver.got).toHaveLength(1);
});

test('it tells only while its creator has the right and reaches the record (Part 4, 4.2 (4))', async () => {
  const { place, brand, director, receiver, roleId } = await sceneOfEmployee();
  await enqueueDeliveries([deletionOf(place, brand)], LATER);
  const role = { name: 'Less', description: null, new_routes: ['company.webhook.*'] };
  const changed = await call(`PUT /company/user/role/${roleId}`, {
    token: director,
    json: { type: 'employee', can_apply_sale_discount: false, ...role },
  });
  expect(changed).toMatchObject({ status: 200 });
  await dispatchAt(place, LATER);
  expect(receiver.got).toEqual([]);
  expect(await deliveriesOf(director, place.id)).toEqual([]);
});

test('with its creator deleted a webhook is disabled (Part 4, 4.2 (4))', async () => {
  const { place, brand, director, receiver, employeeId } = await sceneOfEmployee();
  await enqueueDeliveries([deletionOf(place, brand)], LATER);
  const gone = await call(`DELETE /company/user/user/${employeeId}`, { token: director });
  expect(gone).toMatchObject({ status: 200 });
  await dispatchAt(place, LATER);
  expect(receiver.got).toEqual([]);
  const { body } = await call(`GET /company/webhook/${place.id}`, { token: director });
  expect(body).toMatchObject({ is_active: false, disabled_reason: 'creator' });
  expect(await textsOf(director)).toHaveLength(1);
});

test('with its creator a key that has expired a webhook is disabled; prolonged and woken it tells again (Contract 9.142)', async () => {
  const scene = await newScene();
  const { director: token, receiver, brand } = scene;
  const key = await newProgramKey(scene, ['company.webhook.*', 'company.product.brand.index']);
  const { id } = await addWebhook(key.key, `${receiver.url}/key`, ['product.brand.deleted']);
  const place = { tenant: scene.place.tenant, id };
  await setKeyEnd(scene, key.id, LATER - 1);
  await enqueueDeliveries([deletionOf(place, brand)], LATER);
  await dispatchAt(place, LATER);
  expect(receiver.got).toEqual([]);
  const seen = async () => (await call(`GET /company/webhook/${id}`, { token })).body;
  expect(await seen()).toMatchObject({ is_active: false, disabled_reason: 'creator' });

  await setKeyEnd(scene, key.id, LATER + 1);
  expect(await seen()).toMatchObject({ is_active: false });
  const json = { url: `${receiver.url}/key`, types: ['product.brand.deleted'], is_active: true };
  expect((await call(`PUT /company/webhook/${id}`, { token, json })).status).toBe(200);
  await enqueueDeliveries([deletionOf(place, brand)], LATER);
  await dispatchAt(place, LATER);
  expect(receiver.got).toHaveLength(1);
});

test('what is due later than a minute waits for a sweep (Part 4, 4.2 (1))', async () => {
  const { place, brand, receiver, director } = await newScene();
  receiver.answerBy((response) => void response.writeHead(500).end());
  const at = Date.now() - HOUR;
  await enqueueDeliveries([deletionOf(place, brand, at)], at);
  // The service sends it: at once, and after five seconds once more.
  await expect.poll(() => receiver.got.length, { timeout: MAX_WAIT_MS }).toBe(2);
  await expect
    .poll(async () => (await deliveriesOf(director, place.id))[0]?.attempts.length, { timeout: MAX_WAIT_MS })
    .toBe(2);
  receiver.answerBy((response) => void response.end());
  await sweepDue(Date.now() + 5 * MINUTE);
  await dispatchAt(place, Date.now() + 6 * MINUTE);
  expect(await deliveriesOf(director, place.id)).toMatchObject([{ status: 'delivered' }]);
});

const Texts = z.object({ data: z.array(z.object({ text: z.string() })) });

/** Creates a scene whose webhook an employee has added. */
async function sceneOfEmployee() {
  const scene = await newScene();
  const place = { company_id: scene.companyId, family_id: scene.companyId };
  const new_routes = ['company.webhook.*', 'company.product.brand.index'];
  const roleId = await newRole({ type: 'employee', new_routes, ...place });
  const given = { type: 'employee', role_id: roleId, ...place } as const;
  const { id: employeeId, token } = await insertUser(given);
  const { id } = await addWebhook(token, scene.receiver.url, ['product.brand.deleted']);
  return { ...scene, place: { ...scene.place, id }, roleId, employeeId };
}

async function textsOf(token: string): Promise<string[]> {
  const { body } = await call('GET /common/user/notification', { token });
  return Texts.parse(body).data.map(({ text }) => text);
}
