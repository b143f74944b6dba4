import { expect, test } from 'vitest';
import { userKey } from '#lib/auth/identify.ts';
import { updateOne } from '#lib/table/change/send.ts';
import { unlocked } from '#lib/table/items.ts';
import { familyTenant, recordKey } from '#lib/table/keys.ts';
import { newMeter, runInContext, unitsOf } from '#lib/table/request-context.ts';
import type { Instant } from '#lib/values/time.ts';
import { dispatchDue } from '#lib/webhooks/delivery/dispatch.ts';
import { enqueueDeliveries } from '#lib/webhooks/delivery/enqueue.ts';
import type { WebhookRef } from '#lib/webhooks/dispatch-state.ts';
import { daysFromNow, setTariff } from '#tests/support/billing.ts';
import { newFamily, newFamilyWithBranch, newSuperAdministrator } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { MAX_WAIT_MS } from '#tests/support/patience.ts';
import { addWebhook, deliveriesOf, startReceiver } from '#tests/support/receiver.ts';
import { make } from '#tests/support/records.ts';
import { newWarehouse } from '#tests/support/stock.ts';
import { insertUser } from '#tests/support/users.ts';
import { deletionOf, dispatchAt, LATER, newScene } from '#tests/support/webhook.ts';

const BRANDS = '/company/product/brand';

function makeBrands(token: string, count: number): Promise<number[]> {
  return Promise.all(
    Array.from({ length: count }, (_, index) =>
      make(BRANDS, token, { name: `Чай ${index}`, image_old_keys: '[]' }),
    ),
  );
}

/** Dispatches as soon as the lease is free, and counts its units. */
async function unitsOfTurn(place: WebhookRef, at: Instant): Promise<number> {
  const meter = newMeter();
  const turn = () => runInContext({ meter }, () => dispatchDue(place, () => at));
  await expect
    .poll(
      () => {
        meter.calls.length = 0;
        return turn();
      },
      { interval: 20, timeout: MAX_WAIT_MS },
    )
    .toBe(true);
  return unitsOf(meter);
}

test('it is sent with the newest revision, as the copy has it (Part 4, 4.2 (1))', async () => {
  const { place, brand, receiver, director: token } = await newScene();
  await enqueueDeliveries([deletionOf(place, brand)], LATER);
  for (const name of ['Кофе', 'Какао']) {
    await call(`PUT ${BRANDS}/${brand}`, { token, json: { name, image_old_keys: '[]' } });
  }
  await dispatchAt(place, LATER);
  expect(receiver.got.map(({ body }) => body.data.revision)).toEqual([3]);
  expect(await deliveriesOf(token, place.id)).toMatchObject([{ status: 'delivered', revision: 3 }]);
});

test('a delivery reads itself and one entry, and writes what came of it', async () => {
  const { place, brand, director } = await newScene();
  const others = await makeBrands(director, 10);
  await enqueueDeliveries([deletionOf(place, brand)], LATER);
  const one = await unitsOfTurn(place, LATER);
  await enqueueDeliveries(
    others.map((each) => deletionOf(place, each)),
    LATER,
  );
  const ten = await unitsOfTurn(place, LATER);
  // Four items are read, and five are written in one transaction, which counts twice.
  expect((ten - one) / 9).toBeLessThanOrEqual(4 + 10);
});

test('a record out of its creator’s reach is not sent (Part 4, 4.2 (4))', async () => {
  const { director, branch, branchDirector, companyId } = await newFamilyWithBranch();
  const receiver = await startReceiver();
  const { id } = await addWebhook(branchDirector, receiver.url, ['stock.stock.updated']);
  const place: WebhookRef = { tenant: `family-${companyId}`, id };
  const [own, moved] = await Promise.all([
    newWarehouse(director, 'Own', { company_id: branch }),
    newWarehouse(director, 'Moved', { company_id: branch }),
  ]);
  const changeOf = (stock: number) => {
    return { ...deletionOf(place, stock), type: 'stock.stock', action: 'changed' } as const;
  };
  await enqueueDeliveries([own, moved].map(changeOf), LATER);
  const json = { name: 'Moved', company_id: companyId };
  const reply = await call(`PUT /company/stock/stock/${moved}`, { token: director, json });
  expect(reply).toMatchObject({ status: 200 });
  await dispatchAt(place, LATER);
  expect(receiver.got.map(({ body }) => body.data)).toMatchObject([{ id: own, company_id: branch }]);
  expect(await deliveriesOf(director, id)).toMatchObject([{ record_id: own }]);
});

test('who has moved to another family tells nothing more of either (Part 4, 4.2 (4))', async () => {
  const { companyId, director } = await newFamily();
  const other = await newFamily();
  const receiver = await startReceiver();
  const author = await insertUser({ type: 'director', company_id: companyId, family_id: companyId });
  const { id } = await addWebhook(author.token, receiver.url);
  const [brand = 0] = await makeBrands(director, 1);
  await makeBrands(other.director, 1);
  const place: WebhookRef = { tenant: `family-${companyId}`, id };
  await enqueueDeliveries([deletionOf(place, brand)], LATER);
  const elsewhere = { company_id: other.companyId, family_id: other.companyId };
  await updateOne(userKey(author.id), { set: elsewhere }, unlocked);
  await dispatchAt(place, LATER);
  expect(receiver.got.filter(({ body }) => body.type === 'product.brand.deleted')).toEqual([]);
  const { body } = await call(`GET /company/webhook/${id}`, { token: director });
  expect(body).toMatchObject({ is_active: false, disabled_reason: 'creator' });
});

test('a record that can’t be read holds up no other, and stays pending', async () => {
  const { place, brand, director, receiver } = await newScene();
  const others = await makeBrands(director, 8);
  await updateOne(recordKey('brand', place.tenant, brand), { set: { version: 'none' } }, unlocked);
  await enqueueDeliveries([deletionOf(place, brand)], LATER);
  await enqueueDeliveries(
    others.map((each) => deletionOf(place, each)),
    LATER + 1,
  );
  const turn = () => dispatchDue(place, () => LATER + 1).catch(() => 'failed');
  await expect.poll(turn, { interval: 20, timeout: MAX_WAIT_MS }).toBe('failed');
  expect(new Set(receiver.got.map(({ body }) => body.data.id))).toEqual(new Set(others));
  expect(await deliveriesOf(director, place.id, '?filter[status]=pending')).toMatchObject([
    { record_id: brand },
  ]);
});

test('a blocked family still gets deliveries (Part 4, 4.2 (4))', async () => {
  const { place, brand, director, companyId, receiver } = await newScene();
  await setTariff(companyId, { trial_ends_at: daysFromNow(-10) });
  const refused = await call(`POST ${BRANDS}`, {
    token: director,
    json: { name: 'Кофе', image_old_keys: '[]' },
  });
  expect(refused).toMatchObject({ status: 400, body: { code: 'auth.company_blocked' } });
  await enqueueDeliveries([deletionOf(place, brand)], LATER);
  await dispatchAt(place, LATER);
  expect(receiver.got.map(({ body }) => body.data.id)).toEqual([brand]);
});

test('with fewer than 50 pending each is tried within 10 s if half a second is waited (Part 4, 4.2 (1))', async () => {
  const { director: token, companyId } = await newFamily();
  let [open, atOnce] = [0, 0];
  const receiver = await startReceiver((response) => {
    open += 1;
    atOnce = Math.max(atOnce, open);
    setTimeout(() => {
      open -= 1;
      response.end();
    }, 500);
  });
  const { id } = await addWebhook(token, receiver.url, ['product.brand.deleted']);
  const brands = await makeBrands(token, 49);
  const place: WebhookRef = { tenant: `family-${companyId}`, id };
  const at = Date.now();
  await enqueueDeliveries(
    brands.map((brand) => deletionOf(place, brand, at)),
    at,
  );
  await expect.poll(() => receiver.got.length, { timeout: MAX_WAIT_MS }).toBe(49);
  // So many at once that the waits alone take no longer: the machine's own time is measured by benches, as is
  // the stream's delay.
  expect((49 * 500) / atOnce).toBeLessThan(10_000);
});

test('no webhook waits for the receiver of another (Part 4, 4.2 (3))', async () => {
  const { director: token, companyId } = await newFamily();
  const silent = await startReceiver(() => {});
  const receiver = await startReceiver();
  const brands = await makeBrands(token, 10);
  const ids = [
    (await addWebhook(token, silent.url, ['product.brand.deleted'])).id,
    (await addWebhook(token, receiver.url, ['product.brand.deleted'])).id,
  ];
  const at = Date.now();
  const changes = brands.map((brand) => deletionOf({ tenant: `family-${companyId}`, id: 0 }, brand, at));
  await enqueueDeliveries(changes, at);
  await expect.poll(() => receiver.got.length, { timeout: MAX_WAIT_MS }).toBe(10);
  expect(silent.got.length).toBeLessThanOrEqual(5);
  expect(await deliveriesOf(token, ids[0] ?? 0, '?filter[status]=pending')).toHaveLength(10);
});

test('rates are sent with their company: deleted and restored (Part 4, 4.1 (2); Part 4, 4.2)', async () => {
  const { director: token, companyId, branch } = await newFamilyWithBranch();
  const receiver = await startReceiver();
  const types = ['cashbox.currency-rate.deleted', 'cashbox.currency-rate.restored'];
  const { id } = await addWebhook(token, receiver.url, types);
  const place = { tenant: familyTenant(companyId), id };
  const administrator = await newSuperAdministrator();
  const change = { ...deletionOf(place, branch), type: 'company.company' };
  const path = `/admin/company/company/${branch}`;
  expect((await call(`DELETE ${path}`, { token: administrator })).status).toBe(200);
  await enqueueDeliveries([change], LATER);
  await dispatchAt(place, LATER);
  expect((await call(`DELETE ${path}/restore`, { token: administrator })).status).toBe(200);
  const later = LATER + 3_600_000;
  await enqueueDeliveries([{ ...change, action: 'restored', at: later }], later);
  await dispatchAt(place, later);
  const told = receiver.got.map(({ body }) => [body.type, body.data.company_id]);
  const expected = types.flatMap((type) => Array.from({ length: 4 }, () => [type, branch]));
  expect(told.toSorted()).toEqual(expected.toSorted());
});
