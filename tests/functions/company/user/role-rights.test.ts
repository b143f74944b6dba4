import { expect, test } from 'vitest';
import * as z from 'zod';
import { openApiOf } from '#infra/reference/document.ts';
import { discoverRoutes } from '#infra/routes.ts';
import { RIGHTS } from '#lib/auth/rights.ts';
import { newEmployee, newFamily, newSuperAdministrator } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { newProgramKey } from '#tests/support/program-keys.ts';
import { newShop, saleBody } from '#tests/support/shop.ts';

const Label = z.strictObject({ ru: z.string().min(1), uz: z.string().min(1), oz: z.string().min(1) });

const RightList = z.object({
  data: z.array(
    z.strictObject({
      key: z.string(),
      group: z.string(),
      group_label: Label,
      label: Label,
      is_operation: z.boolean(),
      implies: z.array(z.string()),
    }),
  ),
  sets: z.array(
    z.strictObject({
      key: z.string(),
      label: Label,
      new_routes: z.array(z.string()).min(1),
      can_apply_sale_discount: z.boolean(),
    }),
  ),
});

async function readRights(token: string, area = 'company') {
  const { status, body } = await call(`GET /${area}/user/role/rights`, { token });
  expect(status).toBe(200);
  return RightList.parse(body);
}

const ofArea = (...areas: string[]) => RIGHTS.filter((right) => areas.includes(right.split('.')[0] ?? ''));

test('every right that a role may give is listed once, with its group and what it implies (Part 5, 5B.2 (1))', async () => {
  const { data } = await readRights((await newFamily()).director);
  expect(data.map(({ key }) => key)).toEqual(ofArea('company'));
  const right = (key: string) => data.find((each) => each.key === key);
  expect(right('company.trade.sale.store')).toEqual({
    key: 'company.trade.sale.store',
    group: 'company.trade.sale',
    group_label: { ru: 'Продажи', uz: 'Сотувлар', oz: 'Sotuvlar' },
    label: { ru: 'Создание', uz: 'Яратиш', oz: 'Yaratish' },
    is_operation: true,
    implies: ['company.cashbox.currency-rate.settings'],
  });
  expect(right('company.trade.sale.creator')).toMatchObject({ is_operation: false, implies: [] });
});

test('administrators get the rights of all three areas (Part 5, 5B.2 (1))', async () => {
  const { data } = await readRights(await newSuperAdministrator(), 'admin');
  expect(data.map(({ key }) => key)).toEqual(RIGHTS);
});

test('the list asks for the right to list roles, and names it in its refusal (Part 5, 5B.2 (1), (3))', async () => {
  const family = await newFamily();
  const [reader, other] = await Promise.all([
    newEmployee(family, ['company.user.role.index']),
    newEmployee(family, ['company.user.role.show']),
  ]);
  await readRights(reader);
  expect(await call('GET /company/user/role/rights', { token: other })).toMatchObject({
    status: 403,
    body: { code: 'auth.forbidden', right: 'company.user.role.index' },
  });
  expect(await call('GET /admin/user/role/rights', { token: reader })).toMatchObject({
    status: 403,
    body: { right: null },
  });
});

test('a role can be made of each set by who holds it, and only seniors give discounts (Part 5, 5B.2 (1))', async () => {
  const family = await newFamily();
  const { sets } = await readRights(family.director);
  expect(sets.map(({ key }) => key)).toEqual([
    'seller',
    'senior_seller',
    'keeper',
    'accountant',
    'read_only',
  ]);
  for (const { key, new_routes, can_apply_sale_discount } of sets) {
    const maker = await newEmployee(family, [...new_routes, 'company.user.role.store']);
    const json = { type: 'employee', name: key, new_routes };
    expect(await call('POST /company/user/role', { token: maker, json }), key).toMatchObject({ status: 200 });
    expect(can_apply_sale_discount, key).toBe(key === 'senior_seller');
    expect(new_routes.every((right) => RIGHTS.includes(right))).toBe(true);
  }
});

test('every operation has x-right, null if it asks for none, and x-more-rights for fields (Part 5, 5B.2 (2))', async () => {
  const { paths } = openApiOf(await discoverRoutes());
  const Told = z.looseObject({
    'x-right': z.string().nullable(),
    'x-more-rights': z.array(z.strictObject({ right: z.string(), field: z.string().nullable() })).optional(),
  });
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, told]) => ({ name: `${method} ${path}`, ...Told.parse(told) })),
  );
  const named = (name: string) => operations.find((each) => each.name === name);
  expect(named('post /common/auth/login')).toMatchObject({ 'x-right': null });
  expect(named('post /company/trade/sale')).toMatchObject({
    'x-right': 'company.trade.sale.store',
    'x-more-rights': expect.arrayContaining([{ right: 'company.trade.sale.creator', field: 'creator_id' }]),
  });
  const told = operations.flatMap((each) => [
    each['x-right'] ?? [],
    (each['x-more-rights'] ?? []).map(({ right }) => right),
  ]);
  for (const right of told.flat(2)) expect(RIGHTS).toContain(right);
});

test('a 422 for want of a right has it in its params (Part 5, 5B.2 (3))', async () => {
  const shop = await newShop();
  const token = await newEmployee(shop, ['company.trade.sale.store']);
  const json = saleBody(shop, { creator_id: shop.directorId, sold_at: '2000-01-01 00:00:00' });
  const { body } = await call('POST /company/trade/sale', { token, json });
  expect(body).toMatchObject({ params: { creator_id: [{ right: 'company.trade.sale.creator' }] } });
});

test('the profile has all rights that the caller may use, expanded and sorted (Part 5, 5B.2 (3))', async () => {
  const family = await newFamily();
  const rights = async (token: string) => {
    const { body } = await call('GET /common/user/profile', { token });
    return z.looseObject({ rights: z.array(z.string()) }).parse(body).rights;
  };
  expect(await rights(family.director)).toEqual(ofArea('company'));
  expect(await rights(await newSuperAdministrator())).toEqual(ofArea('admin'));
  const cashier = await newEmployee(family, ['company.trade.hold.*', 'company.product.brand.index']);
  const holds = ofArea('company').filter((right) => right.startsWith('company.trade.hold.'));
  // Their role is stored as before the right to see costs, which such roles have (5A.13).
  expect(await rights(cashier)).toEqual(['company.cost.show', 'company.product.brand.index', ...holds]);
});

test('key/me has its rights, sale currency, time zone and the time; of a key, none over people (Part 5, 5B.12 (1))', async () => {
  const { key: token } = await newProgramKey(await newFamily(), [
    'company.trade.hold.index',
    'company.user.*',
  ]);
  const before = Date.now();
  const { status, body } = await call('GET /company/user/key/me', { token });
  expect({ status, body }).toMatchObject({
    status: 200,
    body: {
      rights: ['company.cost.show', 'company.trade.hold.index'],
      sale_currency: 'uzs',
      time_zone: 'Asia/Tashkent',
      now: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
    },
  });
  expect(before).toBeLessThanOrEqual(Date.now());
});
