import { expect, test } from 'vitest';
import * as z from 'zod';
import { startRepricings } from '#lib/trade/repricing/start.ts';
import { translateLabel } from '#lib/values/labels/label.ts';
import { renderInstant } from '#lib/values/time.ts';
import { newCompany, newEmployee, newSuperAdministrator } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { notificationsOf } from '#tests/support/notifications.ts';
import {
  addToDraft,
  cardOf,
  historyOf,
  minuteFromNow,
  PRODUCTS,
  REPRICINGS,
  reprice,
  repricingRow,
  sendBatch,
} from '#tests/support/repricing.ts';
import { newGoods, newShop, type Shop } from '#tests/support/shop.ts';

function startsAt(minutes: number) {
  return { starts_at: renderInstant(minuteFromNow(minutes)) };
}

/** Creates goods at 5000 that cost 3000. */
function newTea(shop: Shop, given: object = {}): Promise<number> {
  return newGoods(shop, [{ quantity: 10, cost: 3000 }], { sale_price: 5000, ...given });
}

const Batch = z.looseObject({
  status: z.string(),
  products: z.array(z.looseObject({})),
  skipped_products: z.array(z.looseObject({})),
});

async function batchOf({ director: token }: Shop, id: number) {
  return Batch.parse((await call(`GET ${REPRICINGS}/${id}`, { token })).body);
}

function cancel({ director: token }: Shop, id: number) {
  return call(`PATCH ${REPRICINGS}/${id}/cancel`, { token });
}

test('a repricing with starts_at is planned with its lines at once, and made at that time (Part 5, 5A.14 (3))', async () => {
  const shop = await newShop();
  const tea = await newTea(shop);
  const planned = await reprice(shop, [repricingRow(tea)], startsAt(2));
  expect(planned).toMatchObject({
    status: 'planned',
    ...startsAt(2),
    products_count: 1,
    products: [{ product_id: tea, previous_price: 5000, sale_price: 6000 }],
  });
  await startRepricings(minuteFromNow(1));
  expect(await batchOf(shop, planned.id)).toMatchObject({ status: 'planned' });
  expect(await cardOf(shop, tea)).toMatchObject({ sale_price: 5000 });
  await startRepricings(minuteFromNow(2));
  expect(await batchOf(shop, planned.id)).toMatchObject({
    status: 'completed',
    creator_id: shop.directorId,
    products: [{ product_id: tea, previous_price: 5000, sale_price: 6000 }],
    skipped_products: [],
  });
  expect(await cardOf(shop, tea)).toMatchObject({ sale_price: 6000 });
  const { body } = await call(`GET ${PRODUCTS}/${tea}/prices`, { token: shop.director });
  expect(body).toMatchObject({
    data: [{ cause: 'repricing', document_id: planned.id, creator_id: shop.directorId }],
  });
  expect(await notificationsOf(shop.director)).toEqual([]);
});

test('others are completed', async () => {
  const shop = await newShop();
  expect(await reprice(shop, [repricingRow(await newTea(shop))])).toMatchObject({
    status: 'completed',
    starts_at: null,
  });
});

test('the former price of a line is that of the moment at which the batch is made', async () => {
  const shop = await newShop();
  const tea = await newTea(shop);
  const planned = await reprice(shop, [repricingRow(tea)], startsAt(2));
  await reprice(shop, [repricingRow(tea, { sale_price: 5500 })]);
  await startRepricings(minuteFromNow(2));
  expect(await batchOf(shop, planned.id)).toMatchObject({ products: [{ previous_price: 5500 }] });
});

test('rows that fail then are skipped, and the creator is notified (Part 5, 5A.14 (3))', async () => {
  const shop = await newShop();
  const [tea, drafted, deleted, dear] = await Promise.all([
    newTea(shop),
    newTea(shop, { name: 'Кофе' }),
    newGoods(shop, [], { name: 'Какао', sale_price: 5000 }),
    newTea(shop, { name: 'Сок' }),
  ]);
  const rows = [tea, drafted, deleted, dear].map((id) => repricingRow(id));
  const planned = await reprice(shop, rows, startsAt(2));
  await addToDraft(shop, drafted);
  await call(`DELETE ${PRODUCTS}/${deleted}`, { token: shop.director });
  await call(`PATCH ${PRODUCTS}/${dear}`, {
    token: shop.director,
    json: { min_price: 7000, sale_price: 8000 },
  });
  await startRepricings(minuteFromNow(2));
  const batch = await batchOf(shop, planned.id);
  expect(batch).toMatchObject({ status: 'completed', products_count: 1, products: [{ product_id: tea }] });
  const reasons = batch.skipped_products.map(({ product_id, reason }) => [product_id, reason]);
  expect(Object.fromEntries(reasons)).toEqual({
    [drafted]: 'in_active_sale',
    [deleted]: 'product_not_found',
    [dear]: 'below_min_price',
  });
  const label = { key: 'notification.repricing_skipped', with: { id: planned.id, count: 3 } } as const;
  expect(await notificationsOf(shop.director)).toMatchObject([{ text: translateLabel('ru', label) }]);
  const { body } = await call('GET /common/user/notification', {
    token: shop.director,
    headers: { 'accept-language': 'uz' },
  });
  expect(body).toMatchObject({
    data: [{ params: { text: translateLabel('uz', label), kind: 'repricing', record_id: planned.id } }],
  });
});

test('with no row that passes it has failed (Part 5, 5A.14 (3))', async () => {
  const shop = await newShop();
  const tea = await newTea(shop);
  const planned = await reprice(shop, [repricingRow(tea)], startsAt(2));
  await addToDraft(shop, tea);
  await startRepricings(minuteFromNow(2));
  expect(await batchOf(shop, planned.id)).toMatchObject({
    ...{ status: 'failed', products_count: 0, products: [] },
    skipped_products: [{ product_id: tea, reason: 'in_active_sale' }],
  });
  const profile = async () => (await call('GET /common/user/profile', { token: shop.director })).body;
  expect(await profile()).toMatchObject({ unread_count: 1 });
  expect(await notificationsOf(shop.director)).toHaveLength(1);
  await call('PATCH /common/user/notification/see-all', { token: shop.director });
  expect(await profile()).toMatchObject({ unread_count: 0 });
  expect(await cardOf(shop, tea)).toMatchObject({ sale_price: 5000 });
});

test('of a company deleted by then it has failed, with its lines (Part 5, 5A.14 (3))', async () => {
  const shop = await newShop();
  const tea = await newTea(shop);
  const branch = await newCompany(shop.companyId);
  const planned = await reprice({ ...shop, companyId: branch }, [repricingRow(tea)], startsAt(2));
  const token = await newSuperAdministrator();
  expect((await call(`DELETE /admin/company/company/${branch}`, { token })).status).toBe(200);
  await startRepricings(minuteFromNow(2));
  expect(await batchOf(shop, planned.id)).toMatchObject({
    status: 'failed',
    products: [{ product_id: tea }],
  });
});

test('a planned one is canceled, and is not made then; any other is 400 (Part 5, 5A.14 (3))', async () => {
  const shop = await newShop();
  const tea = await newTea(shop);
  const planned = await reprice(shop, [repricingRow(tea)], startsAt(2));
  expect((await cancel(shop, planned.id)).status).toBe(200);
  await startRepricings(minuteFromNow(2));
  expect(await batchOf(shop, planned.id)).toMatchObject({
    status: 'canceled',
    products: [{ product_id: tea }],
  });
  expect(await cardOf(shop, tea)).toMatchObject({ sale_price: 5000 });
  expect(await cancel(shop, planned.id)).toMatchObject({ status: 400 });
  const made = await reprice(shop, [repricingRow(tea)]);
  expect((await cancel(shop, made.id)).status).toBe(400);
  const other = await newEmployee(shop, ['company.trade.recalculation-batch.store']);
  expect((await call(`PATCH ${REPRICINGS}/${planned.id}/cancel`, { token: other })).status).toBe(403);
});

test('it is made in the name of its creator, even one deleted by then (Part 5, 5A.14 (3))', async () => {
  const shop = await newShop();
  const tea = await newTea(shop);
  const token = await newEmployee(shop, ['company.trade.recalculation-batch.*']);
  const planned = await reprice({ ...shop, director: token }, [repricingRow(tea)], startsAt(2));
  const { creator_id } = z.looseObject({ creator_id: z.int() }).parse(planned);
  await call(`DELETE /company/user/user/${creator_id}`, { token: shop.director });
  await startRepricings(minuteFromNow(2));
  expect(await batchOf(shop, planned.id)).toMatchObject({ status: 'completed', creator_id });
});

test('starts_at is a whole minute up to a year ahead, without a rate: 422 with all failing fields (Part 5, 5A.14 (3))', async () => {
  const shop = await newShop();
  const tea = await newTea(shop);
  for (const starts_at of [
    renderInstant(minuteFromNow(-1)),
    renderInstant(minuteFromNow(2) + 1000),
    renderInstant(minuteFromNow(367 * 24 * 60)),
  ]) {
    const { status, body } = await sendBatch(shop, [repricingRow(tea), repricingRow(999_999_999)], {
      starts_at,
      currency_rate: 13_000,
    });
    expect(status, starts_at).toBe(422);
    expect(body).toMatchObject({
      codes: {
        starts_at: ['repricing.wrong_start'],
        currency_rate: ['repricing.rate_planned'],
        'products.1.product_id': ['validation.not_found'],
      },
    });
  }
});

test('filter[status] finds batches by status (Part 5, 5A.14 (3))', async () => {
  const shop = await newShop();
  const tea = await newTea(shop);
  const planned = await reprice(shop, [repricingRow(tea)], startsAt(2));
  const made = await reprice(shop, [repricingRow(tea, { sale_price: 5500 })]);
  expect(await historyOf(shop, 'filter[status]=planned')).toMatchObject({ data: [{ id: planned.id }] });
  expect(await historyOf(shop, 'filter[status]=completed')).toMatchObject({ data: [{ id: made.id }] });
  expect(await historyOf(shop, 'filter[status]=failed')).toMatchObject({ data: [] });
});
