import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import * as z from 'zod';
import type { Reply } from '#bin/cli/person.ts';
import { partners } from '#lib/people/company/partner.ts';
import { insertRecord } from '#lib/records/record-writes.ts';
import { PLATFORM } from '#lib/table/keys.ts';
import { nextId } from '#lib/table/sequences.ts';
import { card, newCatalog } from '#tests/support/catalog.ts';
import { BODIES } from '#tests/support/contract.ts';
import {
  newCompany,
  newEmployee,
  newFamily,
  newFamilyWithBranch,
  newRole,
  newSuperAdministrator,
} from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { make } from '#tests/support/records.ts';
import { insertUser } from '#tests/support/users.ts';

const RECORDS = '/common/public/records';
const WAREHOUSES = '/company/stock/stock';

const Rows = z
  .object({ data: z.array(z.object({ id: z.int() })) })
  .transform(({ data }) => data.map(({ id }) => id));

function ask(token: string, type: string, query = '', language = 'ru'): Promise<Reply> {
  return call(`GET ${RECORDS}/${type}?${query}`, { token, headers: { 'accept-language': language } });
}

async function newPartner(name: string): Promise<number> {
  const id = await nextId(partners.type, PLATFORM);
  const at = Date.now();
  const dates = { created_at: at, updated_at: at };
  await insertRecord(partners, PLATFORM, { id, name, phone: null, is_deleted: false, ...dates });
  return id;
}

/** Returns the type of a noun's drop-down: its last word in snake_case. */
function typeOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replaceAll('-', '_');
}

test('staff get their family’s records of every type, and nobody else does', async () => {
  const family = await newFamily();
  const { director: token, companyId } = family;
  const catalog = await newCatalog(family);
  const product_id = await make('/company/product/product', token, card(catalog, { name: 'Вода' }));
  await Promise.all([
    make(WAREHOUSES, token, { name: 'Склад' }),
    make('/company/stock/supplier', token, { name: 'Поставщик' }),
    make('/company/cashbox/reason', token, { type: 'income', name: 'Аренда' }),
    ...Object.entries(BODIES).map(([path, body]) => make(path, token, body)),
    make('/company/client/client', token, { full_name: 'Клиент', main_phone: '998901234567' }),
    make('/company/product/bundle', token, {
      name: 'Набор',
      price: 100,
      products: [{ product_id, quantity: 1 }],
    }),
    newEmployee(family, []),
  ]);
  const stranger = await newFamily();
  const values = {
    stock: 'Склад',
    supplier: 'Поставщик',
    ...Object.fromEntries(Object.entries(BODIES).map(([path, { name }]) => [typeOf(path), name])),
    cashbox: `Главная касса №${companyId}`,
    reason: 'Аренда',
    product: 'Вода',
    bundle: 'Набор',
    product_brand: 'Nestlé',
    product_unit: 'штука',
    product_category_list: 'Напитки',
    client: 'Клиент',
    company: 'Savdo',
  };
  const others = { cashbox: `Главная касса №${stranger.companyId}`, company: 'Savdo' };
  for (const [type, value] of Object.entries(values)) {
    const own = await ask(token, type);
    expect([type, own.body], `${type}: a line of KINDS in lib/drop-downs/records.ts`).toMatchObject([
      type,
      { meta: { total: 1, per_page: 20 } },
    ]);
    expect(own.body).toMatchObject({ data: [{ value, is_deleted: false }] });
    expect(own.body).toHaveProperty('data.0', { id: expect.any(Number), value, is_deleted: false });
    const other = Object.entries(others).filter(([name]) => name === type);
    expect((await ask(stranger.director, type)).body).toMatchObject({
      data: other.map(([, text]) => ({ value: text })),
    });
  }
});

test('administrators get companies, partners and roles within their reach', async () => {
  const [mine, other] = [await newFamily(), await newFamily()];
  const partner = await newPartner('Hamkor');
  const role_id = await newRole({ type: 'admin', new_routes: [] });
  const { token } = await insertUser({
    type: 'admin',
    role_id,
    are_all_companies_available: false,
    responsibility_ids: [mine.companyId],
  });
  expect((await ask(token, 'company')).body).toMatchObject({ data: [{ id: mine.companyId }] });
  expect((await ask(token, 'company', `filter[id]=${other.companyId}`)).body).toMatchObject({ data: [] });
  expect((await ask(token, 'partner', `filter[id]=${partner}`)).body).toMatchObject({
    data: [{ id: partner, value: 'Hamkor', is_deleted: false }],
  });
  expect((await ask(token, 'role', `filter[id]=${role_id}`)).body).toMatchObject({ data: [{ id: role_id }] });
  const everything = await newSuperAdministrator();
  expect((await ask(everything, 'company', `filter[id]=${other.companyId}`)).body).toMatchObject({
    data: [{ id: other.companyId }],
  });
});

test('places of the country, and roles, are for administrators and for staff', async () => {
  const administrator = await newSuperAdministrator();
  const { director } = await newFamily();
  const name = randomUUID();
  const region_id = await make('/admin/region/region', administrator, { name });
  const district_id = await make('/admin/region/district', administrator, { region_id, name });
  const mfy = await make('/admin/region/mfy', administrator, { district_id, name });
  const places = { region: region_id, region_district: district_id, region_mfy: mfy };
  for (const token of [administrator, director]) {
    for (const [type, id] of Object.entries(places)) {
      const { body } = await ask(token, type, `filter[value]=${name}`);
      expect(body).toMatchObject({ data: [{ id, value: name }], meta: { total: 1 } });
    }
  }
  expect((await ask(director, 'role')).body).toMatchObject({ data: [{ value: 'Director' }] });
});

test("a partner gets the partner's companies", async () => {
  const [partner_id, administrator] = await Promise.all([newPartner('Hamkor'), newSuperAdministrator()]);
  const { token } = await insertUser({ type: 'partner', partner_id });
  await newCompany(null);
  const id = await make('/admin/company/company', administrator, { name: 'Ours', partner_id });
  expect((await ask(token, 'company')).body).toMatchObject({
    data: [{ id, value: 'Ours' }],
    meta: { total: 1 },
  });
});

test('an unknown type, or one not for the caller’s type of user, is 400 in the very words of the contract', async () => {
  const { director } = await newFamily();
  const administrator = await newSuperAdministrator();
  const partner = (await insertUser({ type: 'partner', partner_id: await newPartner('Hamkor') })).token;
  const refused = [
    ...['partner', 'nothing', 'constructor', '1'].map((type) => [director, type]),
    ...['stock', 'client', 'product'].map((type) => [administrator, type]),
    ...['stock', 'partner', 'role'].map((type) => [partner, type]),
  ];
  for (const [token = '', type = ''] of refused) {
    for (const language of ['ru', 'uz', 'oz']) {
      const reply = await ask(token, type, '', language);
      expect(reply).toMatchObject({ status: 400, body: { message: 'Unavailable type' } });
    }
  }
});

test('staff get what is open to them: warehouses, desks and companies', async () => {
  const family = await newFamilyWithBranch();
  const main = await make(WAREHOUSES, family.director, { name: 'Main' });
  const branch = await make(WAREHOUSES, family.director, { name: 'Branch', company_id: family.branch });
  const desk = await make('/company/cashbox/cashbox', family.director, { name: 'Desk', type: 'sale' });
  const limits = { stock_ids: [main], cashbox_ids: [desk] };
  const cashier = await newEmployee(family, [], limits);
  const ids = async (type: string, token: string) => Rows.parse((await ask(token, type)).body);
  expect(await ids('stock', family.director)).toEqual([branch, main]);
  expect(await ids('stock', family.branchDirector)).toEqual([branch]);
  expect(await ids('stock', cashier)).toEqual([main]);
  expect(await ids('cashbox', cashier)).toEqual([desk]);
  expect(await ids('company', family.director)).toEqual([family.branch, family.companyId]);
  expect(await ids('company', family.branchDirector)).toEqual([family.branch]);
  expect(await ids('role', family.branchDirector)).toEqual([]);
});

test('filter[id] takes one or a list, filter[value] a part of what is shown in any letter case', async () => {
  const { director: token } = await newFamily();
  const [north, south, other] = [
    await make(WAREHOUSES, token, { name: 'Северный' }),
    await make(WAREHOUSES, token, { name: 'Южный' }),
    await make(WAREHOUSES, token, { name: 'Южный 2' }),
  ];
  const rows = async (query: string) => (await ask(token, 'stock', query)).body;
  expect(await rows(`filter[id]=${south}`)).toMatchObject({ data: [{ id: south }] });
  expect(await rows(`filter[id][]=${north}&filter[id][]=${other}`)).toMatchObject({
    data: [{ id: other }, { id: north }],
  });
  expect(await rows('filter[value]=ЮЖ')).toMatchObject({
    data: [{ id: other }, { id: south }],
    meta: { total: 2 },
  });
  expect(await rows('filter[value]=южный%202')).toMatchObject({ data: [{ id: other }] });
  expect(await rows(`filter[id]=${north}&filter[value]=юж`)).toMatchObject({ data: [], meta: { total: 0 } });
});

test('a localized record shows and is found by its text in the language of the caller alone', async () => {
  const family = await newFamily();
  await newCatalog(family);
  const find = async (value: string, language: string) =>
    (await ask(family.director, 'product_category_list', `filter[value]=${value}`, language)).body;
  expect(await find('напит', 'ru')).toMatchObject({ data: [{ value: 'Напитки' }] });
  expect(await find('ичим', 'uz')).toMatchObject({ data: [{ value: 'Ичимликлар' }] });
  expect(await find('ichim', 'oz')).toMatchObject({ data: [{ value: 'Ichimliklar' }] });
  expect(await find('ichim', 'ru')).toMatchObject({ data: [] });
  expect(await find('напит', 'oz')).toMatchObject({ data: [] });
});

test('show[] adds deleted records, or shows only them', async () => {
  const { director: token } = await newFamily();
  const [keptId, goneId] = [
    await make(WAREHOUSES, token, { name: 'Kept' }),
    await make(WAREHOUSES, token, { name: 'Gone' }),
  ];
  await call(`DELETE ${WAREHOUSES}/${goneId}`, { token });
  const rows = async (query: string) => (await ask(token, 'stock', query)).body;
  const [kept, gone] = [
    { id: keptId, value: 'Kept', is_deleted: false },
    { id: goneId, value: 'Gone', is_deleted: true },
  ];
  expect(await rows('')).toMatchObject({ data: [kept] });
  expect(await rows('show[]=with-deleted')).toMatchObject({ data: [gone, kept] });
  expect(await rows('show[]=only-deleted')).toMatchObject({ data: [gone] });
  expect((await ask(token, 'stock', 'show[]=all')).status).toBe(422);
});

test('pages have at most 20 records', async () => {
  const { director: token } = await newFamily();
  const first = await make(WAREHOUSES, token, { name: 'A' });
  for (const name of ['B', 'C']) await make(WAREHOUSES, token, { name });
  const { body } = await ask(token, 'stock', 'page-size=2&page=2');
  expect(body).toMatchObject({
    data: [{ id: first }],
    meta: { current_page: 2, per_page: 2, total: 3, from: 3 },
  });
  const errors = [
    ['page-size=21', 'page-size'],
    ['sort[]=id', 'sort'],
    ['filter[name]=a', 'filter.name'],
  ];
  for (const [query, field = ''] of errors) {
    const reply = await ask(token, 'stock', query);
    expect(reply).toMatchObject({ status: 422, body: { errors: { [field]: [expect.any(String)] } } });
  }
});

test('administrators get regions, districts and languages', async () => {
  const admin = await newSuperAdministrator();
  for (const type of ['region', 'region_district', 'language']) {
    expect((await ask(admin, type)).body).toMatchObject({
      data: expect.arrayContaining([
        { id: expect.any(Number), value: expect.any(String), is_deleted: false },
      ]),
    });
  }
});

test('staff get specifications, options, services and their units', async () => {
  const { director: token } = await newFamily();
  const name = { ru: 'Цвет', uz: 'Ранг', oz: 'Rang' };
  const specification_id = await make('/company/product/specification', token, { name });
  await make('/company/product/option', token, { specification_id, name: 'Oq' });
  const service_unit_id = await make('/company/product/service-unit', token, { name });
  await make('/company/product/service', token, { service_unit_id, name: 'Yetkazish', price: 100 });
  const values = { product_specification: 'Цвет', product_option: 'Oq', service: 'Yetkazish' };
  for (const [type, value] of Object.entries(values)) {
    expect((await ask(token, type)).body).toMatchObject({ data: [{ value, is_deleted: false }] });
  }
  expect((await ask(token, 'service_unit', 'filter[value]=цвет')).body).toMatchObject({
    data: [{ value: 'Цвет' }],
  });
});
