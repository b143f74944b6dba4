import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { recordActivity } from '#lib/platform/activity.ts';
import type { TableChange } from '#lib/table/feed/change.ts';
import { familyTenant } from '#lib/table/keys.ts';
import { newEmployee, newFamily, newSuperAdministrator } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { MAX_WAIT_MS } from '#tests/support/patience.ts';
import { make } from '#tests/support/records.ts';
import { newShop, sellOne } from '#tests/support/shop.ts';
import { newCards, newWarehouse, receiveGoods } from '#tests/support/stock.ts';

const ACTIVITY = '/company/user/activity';
const BRANDS = '/company/product/brand';
const RIGHTS = [
  'company.user.activity',
  'company.trade.*',
  'company.stock.stock.index',
  'company.cashbox.cashbox.transfers',
  'company.product.category.index',
];

const Rows = z.object({ data: z.array(z.looseObject({ type: z.string(), record_id: z.int() })) });

const DAY_MS = 24 * 60 * 60 * 1000;

async function rowsOf(token: string, query = '') {
  const { status, body } = await call(`GET ${ACTIVITY}?${query}`, { token });
  expect(status).toBe(200);
  return Rows.parse(body).data;
}

/** Waits until a caller is shown the given number of rows. */
async function untilSeen(token: string, query: string, count: number) {
  await expect
    .poll(async () => (await rowsOf(token, query)).length, { timeout: MAX_WAIT_MS, interval: 200 })
    .toBe(count);
  return rowsOf(token, query);
}

/** Builds the change of a new brand as read from the table's stream. */
function changeOf(companyId: number, id: number, at: number): TableChange {
  return {
    ...{ tenant: familyTenant(companyId), type: 'product.brand', id, key: { pk: '', sk: '' } },
    ...{ action: 'created', isSum: false, companyId, cashboxId: undefined, stockId: undefined },
    ...{ creatorId: 1, impersonatorId: undefined },
    ...{ changedById: undefined, changedImpersonatorId: undefined },
    ...{ at, version: 1, order: `${String(at).padStart(15, '0')}-${id}` },
  };
}

test('who made, changed, deleted and restored a record is listed, the newest first', async () => {
  const { director: token, directorId, companyId } = await newFamily();
  const id = await make(BRANDS, token, { name: 'Artel', image_old_keys: '[]' });
  await call(`PUT ${BRANDS}/${id}`, { token, json: { name: 'Samo', image_old_keys: '[]' } });
  await call(`DELETE ${BRANDS}/${id}`, { token });
  await call(`DELETE ${BRANDS}/${id}/restore`, { token });
  const rows = await untilSeen(token, 'filter[type]=product.brand', 4);
  const row = { type: 'product.brand', record_id: id, company_id: companyId, creator_id: directorId };
  const created_at = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  expect(rows).toEqual(
    ['restored', 'deleted', 'changed', 'created'].map((action, index) => ({
      ...{ ...row, revision: 4 - index, action, impersonator_id: null, created_at },
    })),
  );
});

test('rows embed their user with the profile (Part 5, 5B.7 (5))', async () => {
  const { director: token, directorId } = await newFamily();
  await make(BRANDS, token, { name: 'Artel', image_old_keys: '[]' });
  const [row] = await untilSeen(token, 'filter[type]=product.brand&with[]=user.profile', 1);
  expect(row).toMatchObject({
    creator_id: directorId,
    user: { id: directorId, profile: { full_name: expect.any(String) } },
  });
});

test('rows are filtered by who did it, by type, by record and by day', async () => {
  const { director: token, directorId } = await newFamily();
  const first = await make(BRANDS, token, { name: 'Artel', image_old_keys: '[]' });
  await make(BRANDS, token, { name: 'Samo', image_old_keys: '[]' });
  const both = 'filter[type][]=product.brand&filter[type][]=trade.sale';
  const [row] = await untilSeen(token, both, 2);
  const idsOf = async (query: string) =>
    (await rowsOf(token, `${both}&${query}`)).map((each) => each.record_id);
  expect(await idsOf(`filter[record_id]=${first}`)).toEqual([first]);
  expect(await idsOf(`filter[creator_id]=${directorId}`)).toHaveLength(2);
  expect(await idsOf(`filter[creator_id]=${directorId + 1_000_000}`)).toEqual([]);
  const today = String(row?.['created_at']).slice(0, 10);
  expect(await idsOf(`filter[created_at][0]=${today}&filter[created_at][1]=${today}`)).toHaveLength(2);
  expect(await idsOf('filter[created_at][1]=2020-01-01')).toEqual([]);
  expect(await call(`GET ${ACTIVITY}?filter[type]=product.nothing`, { token })).toMatchObject({
    status: 422,
  });
});

/** Creates a shop with another warehouse and desk, each of which has something done at it. */
async function newBusyShop() {
  const shop = await newShop();
  const { director: token, stockId: stock_id } = shop;
  const [goods, otherStock] = await Promise.all([newCards(shop, 1), newWarehouse(token, 'Второй')]);
  const products = goods.map((product_id) => ({ product_id, quantity: 5, cost: 2 }));
  await receiveGoods(token, { stock_id, products });
  const receipt = await receiveGoods(token, { stock_id: otherStock, products });
  expect((await sellOne(shop, goods[0] ?? 0, 1, 5000)).status).toBe(200);
  const pieces = goods.map((product_id) => ({ product_id, quantity: 1 }));
  const sides = { from_stock_id: stock_id, to_stock_id: otherStock };
  const transfer = await make('/company/trade/transfer', token, { ...sides, products: pieces });
  return { ...shop, otherStock, receipt, transfer };
}

test('a caller sees the rows of records that they reach', async () => {
  const shop = await newBusyShop();
  const own = { company_id: shop.companyId, cashbox_ids: [], stock_ids: [shop.otherStock] };
  const [narrow, nobody] = await Promise.all([
    newEmployee(shop, RIGHTS, own),
    newEmployee(shop, ['company.user.user.index']),
  ]);
  const types = ['trade.sale', 'trade.purchase', 'trade.transfer', 'stock.stock', 'cashbox.transfer'];
  const query = types.map((type) => `filter[type][]=${type}`).join('&');
  // Each receipt is made and completed.
  const all = await untilSeen(shop.director, query, 1 + 4 + 1 + 2 + 1);
  expect(new Set(all.map(({ type }) => type))).toEqual(new Set(types));
  const seen = (await rowsOf(narrow, query)).map(({ type, record_id }) => [type, record_id]);
  expect(seen.sort()).toEqual([
    ['stock.stock', shop.otherStock],
    ['trade.purchase', shop.receipt],
    ['trade.purchase', shop.receipt],
    ['trade.transfer', shop.transfer],
  ]);
  expect(await rowsOf(narrow, 'filter[type]=product.category')).not.toEqual([]);
  expect(await call(`GET ${ACTIVITY}`, { token: nobody })).toMatchObject({ status: 403 });
});

test('activity tells of types that its caller may list alone (Contract 9.140)', async () => {
  const shop = await newBusyShop();
  const all = { cashbox_ids: [shop.cashboxId], stock_ids: [shop.stockId, shop.otherStock] };
  const only = (...rights: string[]) => newEmployee(shop, ['company.user.activity', ...rights], all);
  await untilSeen(shop.director, 'filter[type]=trade.sale', 1);
  await untilSeen(shop.director, 'filter[type]=cashbox.transfer', 1);
  const typesFor = async (token: string) => {
    const types = new Set<string>();
    for (let page = 1, count = 1; count > 0; page++) {
      const rows = await rowsOf(token, `page=${page}`);
      for (const { type } of rows) types.add(type);
      count = rows.length;
    }
    return [...types].sort();
  };
  const everything = await typesFor(shop.director);
  expect(everything).toEqual(expect.arrayContaining(['cashbox.transfer', 'product.product', 'trade.sale']));
  expect(await typesFor(await only())).toEqual(everything.filter((type) => type === 'company.company'));
  expect(await typesFor(await only('company.trade.sale.index'))).toContain('trade.sale');
  expect(await typesFor(await only('company.trade.sale.index'))).not.toContain('product.product');
  expect(await typesFor(await only('company.cashbox.cashbox.transfers'))).toContain('cashbox.transfer');
  // The employees' activity may be written in between, too.
  const whole = await only('company.*');
  await expect
    .poll(async () => [await typesFor(whole), await typesFor(shop.director)], { timeout: MAX_WAIT_MS })
    .toSatisfy(([own, directors]) => isDeepStrictEqual(own, directors));
  expect(await typesFor(whole)).toEqual(expect.arrayContaining(everything));
});

test('a row names the administrator who acted as the user', async () => {
  const family = await newFamily();
  const administrator = await newSuperAdministrator();
  const acting = await call(`PATCH /admin/user/user/${family.directorId}/auth-as`, { token: administrator });
  const token = String(Object(acting.body).token);
  const { body } = await call('GET /common/user/profile', { token: administrator });
  await make(BRANDS, token, { name: 'Artel', image_old_keys: '[]' });
  const rows = await untilSeen(family.director, 'filter[type]=product.brand', 1);
  expect(rows).toMatchObject([{ creator_id: family.directorId, impersonator_id: Object(body).id }]);
});

test('a row that stands in two packs is shown once, and one of more than 90 days ago is not', async () => {
  const { director: token, companyId } = await newFamily();
  const tenant = familyTenant(companyId);
  const now = Date.now();
  const changes = [now - 2 * DAY_MS, now - DAY_MS, now - 1000].map((at, index) =>
    changeOf(companyId, index + 1, at),
  );
  await recordActivity(tenant, changes, now);
  await recordActivity(tenant, changes.slice(1), now);
  await recordActivity(tenant, [changeOf(companyId, 9, now - 91 * DAY_MS)], now);
  const rows = await rowsOf(token, 'filter[type]=product.brand');
  expect(rows.map(({ record_id }) => record_id)).toEqual([3, 2, 1]);
  const day = String(rows[1]?.['created_at']).slice(0, 10);
  const ofDay = await rowsOf(token, `filter[created_at][0]=${day}&filter[created_at][1]=${day}`);
  expect(ofDay.map(({ record_id }) => record_id)).toContain(2);
  expect(ofDay.map(({ record_id }) => record_id)).not.toContain(1);
});
