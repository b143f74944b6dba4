import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { newPartner } from '#tests/support/external.ts';
import { newCompany, newFamily, newRole, newSuperAdministrator } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { errorsOf, make, NOT_FOUND } from '#tests/support/records.ts';
import { insertUser } from '#tests/support/users.ts';

const USERS = '/admin/user/user';
const DUPLICATE = 'Значения не должны повторяться.';

let admin: string;
let role_id: number;

beforeAll(async () => {
  admin = await newSuperAdministrator();
  role_id = await newRole({ type: 'admin', new_routes: ['admin.*'] });
});

const required = () => ({
  role_id,
  username: `edit.${randomUUID()}`,
  phone: '998901112233',
  are_all_companies_available: true,
});

const secret = { new_password: 'Office-2026', new_password_confirmation: 'Office-2026' };

const signIn = async (username: string, password = secret.new_password) =>
  (await call('POST /common/auth/login', { json: { username, password } })).status;

const shown = async (id: number) => {
  const { body } = await call(`GET ${USERS}/${id}?with[]=profile&with[]=companies_responsibility`, {
    token: admin,
  });
  return body;
};

test('optional fields that an edit leaves out stay, and fields sent blank or as null are emptied', async () => {
  const company = await newCompany(null);
  const form = required();
  const id = await make(USERS, admin, {
    ...form,
    ...secret,
    telephony_sip_number: '101',
    profile: { first_name: 'Ali', last_name: 'Karimov', position: 'Operator' },
    companies_responsibility: [company],
  });
  await call(`PUT ${USERS}/${id}`, { token: admin, json: { ...form, profile: { position: '' } } });
  expect(await shown(id)).toMatchObject({
    telephony_sip_number: '101',
    profile: { first_name: 'Ali', last_name: 'Karimov', position: null, full_name: 'Karimov Ali' },
    companies_responsibility: [{ id: company }],
  });
  const emptied = {
    telephony_sip_number: null,
    profile: { first_name: null, last_name: '' },
    companies_responsibility: [],
  };
  await call(`PUT ${USERS}/${id}`, { token: admin, json: { ...form, ...emptied } });
  expect(await shown(id)).toMatchObject({
    telephony_sip_number: null,
    profile: { first_name: null, last_name: null, full_name: '' },
    companies_responsibility: [],
  });
});

test('optional fields may be null in a new user', async () => {
  const nothing = { telephony_sip_number: null, profile: null, companies_responsibility: null };
  const id = await make(USERS, admin, { ...required(), ...secret, ...nothing });
  expect(await shown(id)).toMatchObject({ telephony_sip_number: null, companies_responsibility: [] });
});

test('a password that an edit leaves empty stays, and ends no session', async () => {
  const form = required();
  const id = await make(USERS, admin, { ...form, ...secret });
  for (const empty of ['', null]) {
    const json = { ...form, new_password: empty, new_password_confirmation: empty };
    expect(await call(`PUT ${USERS}/${id}`, { token: admin, json })).toMatchObject({
      status: 200,
      body: { message: 'Успешно' },
    });
  }
  expect(await signIn(form.username)).toBe(200);
  expect(await errorsOf(`PUT ${USERS}/${id}`, admin, { ...form, new_password: 'Office-2027' })).toEqual({
    new_password_confirmation: 'Подтверждение не совпадает с паролем.',
  });
});

test('a new user needs a password', async () => {
  for (const empty of ['', null, undefined]) {
    const json = { ...required(), new_password: empty, new_password_confirmation: empty };
    expect(await errorsOf(`POST ${USERS}`, admin, json)).toHaveProperty('new_password');
  }
});

test('a company is in companies_responsibility once', async () => {
  const company = await newCompany(null);
  const json = { ...required(), ...secret, companies_responsibility: [company, company] };
  expect(await errorsOf(`POST ${USERS}`, admin, json)).toEqual({ companies_responsibility: DUPLICATE });
});

test('a user whose company is deleted is edited like any other', async () => {
  const { companyId, directorId } = await newFamily();
  const role = await newRole({
    type: 'director',
    new_routes: [],
    company_id: companyId,
    family_id: companyId,
  });
  await call(`DELETE /admin/company/company/${companyId}`, { token: admin });
  const json = { ...required(), role_id: role, phone: '998939998877' };
  expect((await call(`PUT ${USERS}/${directorId}`, { token: admin, json })).status).toBe(200);
  expect(await shown(directorId)).toMatchObject({ phone: '998939998877', company_id: companyId });
});

test("a user has no role of another company or another partner, even of the user's kind", async () => {
  const { directorId } = await newFamily();
  const other = await newCompany(null);
  const foreign = await newRole({ type: 'director', new_routes: [], company_id: other, family_id: other });
  const [partner_id, other_id] = [await newPartner(), await newPartner()];
  const partner = await insertUser({ type: 'partner', partner_id });
  const theirs = await newRole({ type: 'partner', new_routes: [], partner_id: other_id });
  const own = await newRole({ type: 'partner', new_routes: [], partner_id });
  for (const [id, role] of [
    [directorId, foreign],
    [partner.id, theirs],
  ]) {
    expect(await errorsOf(`PUT ${USERS}/${id}`, admin, { ...required(), role_id: role })).toEqual({
      role_id: NOT_FOUND,
    });
  }
  const fitting = { ...required(), role_id: own };
  expect((await call(`PUT ${USERS}/${partner.id}`, { token: admin, json: fitting })).status).toBe(200);
});

test('a page of users has at most 20 of them', async () => {
  const most = await call(`GET ${USERS}?page-size=20`, { token: admin });
  expect(most).toMatchObject({ status: 200, body: { meta: { per_page: 20 } } });
  expect(await call(`GET ${USERS}?page-size=21`, { token: admin })).toMatchObject({
    status: 422,
    body: { errors: { 'page-size': [expect.any(String)] } },
  });
});

test('username_or_phone finds the whole name or phone, never a part of it', async () => {
  const form = required();
  const id = await make(USERS, admin, { ...form, ...secret });
  const total = async (text: string) =>
    (await call(`GET ${USERS}?filter[username_or_phone]=${text}&filter[id]=${id}`, { token: admin })).body;
  expect(await total(form.username)).toMatchObject({ meta: { total: 1 } });
  expect(await total(form.username.slice(0, -1))).toMatchObject({ meta: { total: 0 } });
  expect(await total('99890111')).toMatchObject({ meta: { total: 0 } });
});

test('partner_id and company_id are filtered by one or by a list', async () => {
  const { companyId, directorId } = await newFamily();
  const partner_id = await make('/admin/partner/partner', admin, { name: `Hamkor ${companyId}` });
  const { id } = await insertUser({ type: 'partner', partner_id });
  const found = async (query: string) => (await call(`GET ${USERS}?${query}`, { token: admin })).body;
  for (const name of ['filter[partner_id]', 'filter[partner_id][]']) {
    expect(await found(`${name}=${partner_id}`)).toMatchObject({ data: [{ id }] });
  }
  expect(await found(`filter[company_id][]=${companyId}&filter[company_id][]=999999`)).toMatchObject({
    data: [{ id: directorId }],
    meta: { total: 1 },
  });
});
