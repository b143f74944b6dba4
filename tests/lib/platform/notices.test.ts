import { expect, test } from 'vitest';
import { lookAtFamily } from '#lib/platform/notices/below-minimum.ts';
import { OVERDUE_SHIFT, WAITING_SALE } from '#lib/platform/notices/kinds.ts';
import { notifyOfOverdue } from '#lib/platform/notices/overdue-shifts.ts';
import { notifyOfRefused } from '#lib/platform/notices/refused-sales.ts';
import { readDue } from '#lib/records/due.ts';
import { invalidateFeed } from '#lib/table/feed/epoch.ts';
import { familyTenant } from '#lib/table/keys.ts';
import { newMeter, roundTripsOf, runInContext, unitsOf } from '#lib/table/request-context.ts';
import { translateLabel } from '#lib/values/labels/label.ts';
import { addClient } from '#tests/support/clients.ts';
import { newEmployee } from '#tests/support/family.ts';
import { untilFed } from '#tests/support/followed.ts';
import { call } from '#tests/support/http.ts';
import { notificationsOf } from '#tests/support/notifications.ts';
import { refuseOne } from '#tests/support/offline.ts';
import { MAX_WAIT_MS } from '#tests/support/patience.ts';
import { beginShift, enableShifts, endShift } from '#tests/support/shifts.ts';
import { newGoods, newShop, type Shop, sellOne } from '#tests/support/shop.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const HOURS = {
  is_working_hours_enabled: true,
  working_hours_from: '00:00',
  working_hours_to: '23:59',
  overdue_action: 'remind',
};

/** Reads the texts of a user's notifications, the newest first. */
async function textsOf(token: string) {
  return (await notificationsOf(token)).map(({ text }) => text);
}

async function plannedFor({ companyId }: Shop, kind: string) {
  const found = [];
  for await (const due of readDue(kind, Date.now() + 2 * DAY_MS)) {
    found.push(...due.filter(({ familyId }) => familyId === companyId));
  }
  return found;
}

/** Waits until the consumer of the stream has planned a notification of a shop. */
async function untilPlanned(shop: Shop, kind: string) {
  await expect.poll(() => plannedFor(shop, kind), { timeout: MAX_WAIT_MS }).not.toEqual([]);
  const [due] = await plannedFor(shop, kind);
  return due ?? { familyId: 0, id: 0, at: 0 };
}

test('a refused sale at a desk where none waited is notified of, at most once an hour (Part 5, 5B.11)', async () => {
  const shop = await newShop();
  const tea = await newGoods(shop, [{ quantity: 1, cost: 1 }]);
  const right = 'company.trade.sale.refused.index';
  const [reaching, elsewhere, without] = await Promise.all([
    newEmployee(shop, [right], { cashbox_ids: [shop.cashboxId] }),
    newEmployee(shop, [right], { cashbox_ids: [] }),
    newEmployee(shop, [], { cashbox_ids: [shop.cashboxId] }),
  ]);
  const refused = await refuseOne(shop, tea, 'refused-1');
  const due = await untilPlanned(shop, WAITING_SALE);
  expect(due.id).toBe(shop.cashboxId);
  const at = Date.now();
  await Promise.all([notifyOfRefused(due, at), notifyOfRefused(due, at)]);
  const text = translateLabel('ru', { key: 'notification.refused_sale', with: { desk: 'Desk 1' } });
  expect(await textsOf(shop.director)).toEqual([text]);
  expect(await textsOf(reaching)).toEqual([text]);
  expect([await textsOf(elsewhere), await textsOf(without)]).toEqual([[], []]);
  const { body } = await call('GET /common/user/notification', { token: shop.director });
  expect(body).toMatchObject({ data: [{ params: { text, kind: 'refused_sale', record_id: refused } }] });
  expect(await plannedFor(shop, WAITING_SALE)).toEqual([]);
  await notifyOfRefused(due, at + HOUR_MS / 2);
  expect(await textsOf(shop.director)).toHaveLength(1);
  await notifyOfRefused(due, at + 2 * HOUR_MS);
  expect(await textsOf(shop.director)).toHaveLength(2);
});

test('an overdue shift is notified of once, its cashier too (Part 5, 5B.11)', async () => {
  const shop = await newShop();
  await enableShifts(shop, HOURS);
  const shift = await beginShift(shop);
  const due = await untilPlanned(shop, OVERDUE_SHIFT);
  expect(due.id).toBe(shift);
  await Promise.all([notifyOfOverdue(due, due.at), notifyOfOverdue(due, due.at)]);
  // The stream may bring the opening of a shift again.
  await notifyOfOverdue(due, due.at + HOUR_MS);
  const text = translateLabel('ru', { key: 'notification.shift_overdue', with: { desk: 'Desk 1' } });
  expect(await textsOf(shop.director)).toEqual([text]);
  const { body } = await call('GET /common/user/notification', {
    token: shop.director,
    headers: { 'accept-language': 'uz' },
  });
  expect(body).toMatchObject({
    data: [
      {
        params: {
          text: translateLabel('uz', { key: 'notification.shift_overdue', with: { desk: 'Desk 1' } }),
          kind: 'shift_overdue',
          record_id: shift,
        },
      },
    ],
  });
});

test('a shift closed in time is not notified of', async () => {
  const shop = await newShop();
  await enableShifts(shop, HOURS);
  const shift = await beginShift(shop);
  const due = await untilPlanned(shop, OVERDUE_SHIFT);
  await endShift(shop, shift);
  await notifyOfOverdue(due, due.at);
  expect(await textsOf(shop.director)).toEqual([]);
  expect(await plannedFor(shop, OVERDUE_SHIFT)).toEqual([]);
});

test('products that come under their minimum in a company are notified of, once an hour (Part 5, 5B.11)', async () => {
  const shop = await newShop();
  const tenant = familyTenant(shop.companyId);
  const named = (name: string) => newGoods(shop, [{ quantity: 5, cost: 1 }], { name, min_quantity: 3 });
  const [milk, bread] = [await named('Молоко'), await named('Хлеб')];
  await newGoods(shop, [], { name: 'Без минимума' });
  const ordering = await newEmployee(shop, ['company.report.reorder']);
  const at = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
  await lookAtFamily(tenant, at);
  expect(await textsOf(shop.director)).toEqual([]);
  await untilFed(tenant, 'trade.sale', saleIn(await sellOne(shop, milk, 3, 5000)));
  await Promise.all([lookAtFamily(tenant, at), lookAtFamily(tenant, at)]);
  const [text = '', ...others] = await textsOf(shop.director);
  expect(others).toEqual([]);
  expect(text).toContain('Молоко');
  expect(await textsOf(ordering)).toEqual([text]);
  await untilFed(tenant, 'trade.sale', saleIn(await sellOne(shop, bread, 3, 5000)));
  await lookAtFamily(tenant, at + HOUR_MS - 1);
  expect(await textsOf(shop.director)).toHaveLength(1);
  await lookAtFamily(tenant, at + HOUR_MS);
  const [newer = ''] = await textsOf(shop.director);
  expect(newer).toContain('Хлеб');
  expect(newer).not.toContain('Молоко');
  const { body } = await call('GET /company/report/today', { token: shop.director });
  expect(body).toMatchObject({ below_minimum: 2 });
});

test('a look reads what has changed since the last one, not what exists (Part 5, 5B.11)', async () => {
  const shop = await newShop();
  const tenant = familyTenant(shop.companyId);
  const goods = [];
  for (let index = 0; index < 30; index++)
    goods.push(await newGoods(shop, [{ quantity: 5, cost: 1 }], { min_quantity: 3 }));
  const at = Date.now();
  const look = (hours: number) => readsOf(() => lookAtFamily(tenant, at + hours * HOUR_MS));
  expect((await look(0)).units).toBeGreaterThan(30);
  // The feed has all that came before it, too: the next look reads up to the end.
  await untilFed(tenant, 'client.client', await addClient(shop));
  await look(0.5);
  // The place, the epoch of the feed, and its end.
  expect(await look(1)).toEqual({ units: 3, trips: 2 });
  await untilFed(tenant, 'trade.sale', saleIn(await sellOne(shop, goods[7] ?? 0, 3, 5000)));
  const { units } = await look(2);
  expect(await textsOf(shop.director)).toHaveLength(1);
  expect(units).toBeLessThan(15);
});

test('a card, a deletion and a lost feed change what is under its minimum, too (Part 5, 5B.11)', async () => {
  const shop = await newShop();
  const tenant = familyTenant(shop.companyId);
  const id = await newGoods(shop, [{ quantity: 5, cost: 1 }], { name: 'Рис', min_quantity: 3 });
  const flour = await newGoods(shop, [], { name: 'Мука', min_quantity: 3 });
  let at = Date.now();
  const below = async () => {
    at += HOUR_MS;
    await lookAtFamily(tenant, at);
    const { body } = await call('GET /company/report/today', { token: shop.director });
    return Object(body).below_minimum;
  };
  expect(await below()).toBe(1);
  const edit = async (json: object) => {
    const path = `/company/product/product/${id}`;
    expect(await call(`PATCH ${path}`, { token: shop.director, json })).toMatchObject({ status: 200 });
  };
  await edit({ min_quantity: 6 });
  await expect.poll(below, { timeout: MAX_WAIT_MS }).toBe(2);
  expect((await textsOf(shop.director))[0]).toContain('Рис');
  await edit({ min_quantity: null });
  await expect.poll(below, { timeout: MAX_WAIT_MS }).toBe(1);
  await edit({ min_quantity: 6 });
  await invalidateFeed(tenant);
  expect(await below()).toBe(2);
  await call(`DELETE /company/product/product/${flour}`, { token: shop.director });
  await expect.poll(below, { timeout: MAX_WAIT_MS }).toBe(1);
});

/** Returns the id of a sale in its answer. */
function saleIn({ body }: { readonly body: unknown }): number {
  return Number(Object(body).id);
}

/** Measures what work reads. */
async function readsOf(work: () => Promise<void>) {
  const meter = newMeter();
  await runInContext({ meter }, work);
  const reading = { ...meter, calls: meter.calls.filter(({ isWrite }) => !isWrite) };
  return { units: unitsOf(reading), trips: roundTripsOf(reading) };
}

test('a notification names 20 products, and has the count (Part 5, 5B.11)', async () => {
  const shop = await newShop();
  for (let index = 10; index < 31; index++)
    await newGoods(shop, [], { name: `Товар ${index}`, min_quantity: 1 });
  await lookAtFamily(familyTenant(shop.companyId), Date.now());
  const [text = ''] = await textsOf(shop.director);
  expect(text.match(/Товар \d+/g)).toHaveLength(20);
  expect(text).toContain('21');
});

test('the profile has the number of notifications not seen, of the newest 200 (Part 5, 5B.11)', async () => {
  const shop = await newShop();
  const profile = async () => (await call('GET /common/user/profile', { token: shop.director })).body;
  expect(await profile()).toMatchObject({ unread_count: 0 });
  await newGoods(shop, [], { min_quantity: 1 });
  await lookAtFamily(familyTenant(shop.companyId), Date.now());
  expect(await profile()).toMatchObject({ unread_count: 1 });
  await call('PATCH /common/user/notification/see-all', { token: shop.director });
  expect(await profile()).toMatchObject({ unread_count: 0 });
});
