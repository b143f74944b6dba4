import { expect, test } from 'vitest';
import { companies } from '#lib/people/company/record.ts';
import { editRecord } from '#lib/records/record-writes.ts';
import { PLATFORM } from '#lib/table/keys.ts';
import { newPartner } from '#tests/support/external.ts';
import { newEmployee, newFamily, newSuperAdministrator } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { errorsOf, REQUIRED, TAKEN } from '#tests/support/records.ts';
import { insertUser } from '#tests/support/users.ts';

const CREATE = '/common/public/create-record';
const BRAND = `${CREATE}/product_brand`;
const CATEGORY = `${CREATE}/product_category`;

test('a brand needs only its name', async () => {
  const { director: token, companyId, directorId } = await newFamily();
  const made = await call(`POST ${BRAND}`, { token, json: { name: 'Artel' } });
  expect(made).toMatchObject({
    status: 200,
    body: {
      name: 'Artel',
      company_id: companyId,
      creator_id: directorId,
      image: null,
      image_thumbs: [],
      is_deleted: false,
    },
  });
  expect((await call(`GET /company/product/brand/${made.number('id')}`, { token })).body).toEqual(made.body);
});

test('a category takes one text for every language, and answers as part 1 shows it', async () => {
  const { director: token, companyId } = await newFamily();
  const made = await call(`POST ${CATEGORY}`, { token, json: { name: 'Чай' } });
  expect(made.status).toBe(200);
  const id = made.number('id');
  const stamp = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  expect(made.body).toEqual({
    name: { ru: 'Чай', uz: 'Чай', oz: 'Чай' },
    updated_at: stamp,
    created_at: stamp,
    company_id: companyId,
    parent_id: null,
    lft: 2 * id - 1,
    rgt: 2 * id,
    id,
    is_deleted: false,
  });
  expect((await call(`GET /company/product/category/${id}`, { token })).status).toBe(200);
});

test('a category takes a text for each language, and needs every one', async () => {
  const { director: token } = await newFamily();
  const name = { ru: 'Чай', uz: 'Чой', oz: 'Choy' };
  const made = await call(`POST ${CATEGORY}`, { token, json: { name } });
  expect(made).toMatchObject({ status: 200, body: { name } });
  expect(await errorsOf(`POST ${CATEGORY}`, token, { name: { ru: 'Кофе' } })).toEqual({
    'name.uz': REQUIRED,
    'name.oz': REQUIRED,
  });
});

test.each([
  [BRAND, {}, REQUIRED],
  [BRAND, { name: ' ' }, REQUIRED],
  [BRAND, { name: 'a'.repeat(256) }, 'Не длиннее 255 символов.'],
  [BRAND, { name: { ru: 'Artel' } }, 'Значение должно быть строкой.'],
  [CATEGORY, {}, REQUIRED],
  [CATEGORY, { name: '' }, REQUIRED],
  [CATEGORY, { name: 'a'.repeat(256) }, 'Не длиннее 255 символов.'],
  [CATEGORY, { name: 5 }, 'Значение должно быть строкой.'],
])('POST %s of %o is 422 on the name', async (path, json, message) => {
  const { director } = await newFamily();
  expect(await errorsOf(`POST ${path}`, director, json)).toEqual({ name: message });
});

test('a name is unique in the family, in any letter case, among all brands and categories wherever made', async () => {
  const { director: token } = await newFamily();
  await call('POST /company/product/brand', { token, json: { name: 'Artel', image_old_keys: '[]' } });
  expect(await errorsOf(`POST ${BRAND}`, token, { name: 'ARTEL' })).toEqual({ name: TAKEN });
  await call('POST /company/product/category', {
    token,
    json: { name: { ru: 'Чай', uz: 'Чой', oz: 'Choy' } },
  });
  expect(await errorsOf(`POST ${CATEGORY}`, token, { name: 'чай' })).toEqual({ 'name.ru': TAKEN });
});

test('it is for directors and employees, whatever their role; others get 403', async () => {
  const family = await newFamily();
  const employee = await newEmployee(family, []);
  expect((await call(`POST ${BRAND}`, { token: employee, json: { name: 'Artel' } })).status).toBe(200);
  const partner = await insertUser({ type: 'partner', partner_id: await newPartner() });
  for (const token of [await newSuperAdministrator(), partner.token]) {
    for (const path of [BRAND, CATEGORY]) expect((await call(`POST ${path}`, { token })).status).toBe(403);
  }
});

test('the staff of a company that is deleted make nothing', async () => {
  const { director: token, companyId } = await newFamily();
  await editRecord({ type: companies, tenant: PLATFORM, id: companyId }, Date.now(), (before) => ({
    ...before,
    is_deleted: true,
  }));
  expect((await call(`POST ${BRAND}`, { token, json: { name: 'Artel' } })).status).toBe(400);
});

test('a user may call three times a minute, whatever the type and the outcome', async () => {
  const family = await newFamily();
  const { director: token } = family;
  const names = ['A', 'B', 'C'];
  const many = await Promise.all([
    ...names.map((name) => call(`POST ${BRAND}`, { token, json: { name } })),
    ...names.map((name) => call(`POST ${CATEGORY}`, { token, json: { name } })),
  ]);
  expect(many.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429, 429, 429]);
  const refused = await call(`POST ${BRAND}`, { token, json: { name: 'D' } });
  expect(refused.status).toBe(429);
  const wait = Number(refused.headers.get('retry-after'));
  expect(wait).toBeGreaterThan(50);
  expect(wait).toBeLessThanOrEqual(60);

  const employee = await newEmployee(family, []);
  for (const name of ['', '', '']) await errorsOf(`POST ${BRAND}`, employee, { name });
  expect((await call(`POST ${BRAND}`, { token: employee, json: { name: 'E' } })).status).toBe(429);
});

test('there is no other type', async () => {
  const { director: token } = await newFamily();
  expect((await call(`POST ${CREATE}/client`, { token, json: { name: 'A' } })).status).toBe(404);
});

test('a specification takes a text for each language, an option the specification it belongs to', async () => {
  const { director: token } = await newFamily();
  const name = { ru: 'Цвет', uz: 'Ранг', oz: 'Rang' };
  const made = await call(`POST ${CREATE}/product_specification`, { token, json: { name } });
  expect(made).toMatchObject({ status: 200, body: { name } });
  const specification_id = made.number('id');
  const option = await call(`POST ${CREATE}/product_option`, {
    token,
    json: { name: 'Oq', specification_id },
  });
  expect(option).toMatchObject({ status: 200, body: { name: 'Oq', specification_id } });
  const again = { name: 'oq', specification_id };
  expect(await errorsOf(`POST ${CREATE}/product_option`, token, again)).toEqual({ name: TAKEN });
});
