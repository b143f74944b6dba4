import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { newCompany, newFamily, newRole, newSuperAdministrator } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { insertUser } from '#tests/support/users.ts';

const COMPANIES = '/admin/company/company';
const ROLES = '/admin/user/role';
const STAFF = '/admin/company/user';

const Id = z.object({ id: z.int() });

let admin: string;

beforeAll(async () => {
  admin = await newSuperAdministrator();
});

async function post(path: string, json: object) {
  return call(`POST ${path}`, { token: admin, json });
}

const worker = (company_id: number, given: object = {}) => ({
  type: 'employee',
  company_id,
  username: `worker.${randomUUID()}`,
  phone: '998901112233',
  new_password: 'Shop-2026-key',
  new_password_confirmation: 'Shop-2026-key',
  ...given,
});

test('a company is made with its own identifiers, changed, deleted and restored', async () => {
  const made = await post(COMPANIES, {
    name: 'Savdo',
    inn: '123456789',
    vat_percent: 12,
    latitude: 41.31,
    primary_uuid: 'mine',
  });
  const { id } = Id.parse(made.body);
  expect(made.body).toMatchObject({ name: 'Savdo', vat_percent: '12', latitude: '41.31', parent_id: null });
  expect(made.body).not.toMatchObject({ primary_uuid: 'mine' });
  const edited = await call(`PUT ${COMPANIES}/${id}`, {
    token: admin,
    json: { name: 'Savdo 2', vat_percent: '7.5' },
  });
  expect(edited).toMatchObject({ status: 200, body: { name: 'Savdo 2', inn: null, vat_percent: '7.5' } });
  expect((await call(`DELETE ${COMPANIES}/${id}`, { token: admin })).status).toBe(200);
  expect((await call(`GET ${COMPANIES}/${id}`, { token: admin })).status).toBe(404);
  expect((await call(`DELETE ${COMPANIES}/${id}/restore`, { token: admin })).status).toBe(200);
  expect((await call(`GET ${COMPANIES}/${id}`, { token: admin })).status).toBe(200);
});

test('a branch has a main company, which stays; a branch has no branches', async () => {
  const main = await newCompany(null);
  const branch = Id.parse((await post(COMPANIES, { name: 'Filial', parent_id: main })).body).id;
  const shown = await call(`GET ${COMPANIES}/${branch}?with[]=parent`, { token: admin });
  expect(shown.body).toMatchObject({ parent_id: main, parent: { id: main } });
  expect((await post(COMPANIES, { name: 'X', parent_id: branch })).body).toMatchObject({
    errors: { parent_id: ['Филиал не может быть главной компанией.'] },
  });
  expect((await post(COMPANIES, { name: 'X', parent_id: 999_999 })).body).toMatchObject({
    errors: { parent_id: ['Выбранная запись не найдена.'] },
  });
  const moved = await call(`PUT ${COMPANIES}/${branch}`, {
    token: admin,
    json: { name: 'Filial', parent_id: null },
  });
  expect(moved.body).toMatchObject({ errors: { parent_id: ['Главную компанию филиала изменить нельзя.'] } });
});

test('all failing fields of a company are named at once', async () => {
  const json = {
    inn: '12',
    mfo: 'x',
    phone: '1',
    payment_account: '1',
    vat_percent: '101',
    bonus_entry_period: 200,
    agreement_date: '1.2.2026',
    industry_id: 0,
    latitude: '90.5',
    longitude: 'east',
    comment: 'x'.repeat(1001),
    field_of_activity: 'x'.repeat(256),
    abc_segment_a: 101,
    is_pos_window_enabled: 'perhaps',
    has_bank_payment_type: 'perhaps',
  };
  const { status, body } = await post(COMPANIES, json);
  expect(status).toBe(422);
  const { errors } = z.object({ errors: z.record(z.string(), z.array(z.string())) }).parse(body);
  expect(Object.keys(errors).sort()).toEqual(['name', ...Object.keys(json)].sort());
});

test('an administrator to whom not all companies are open reaches only theirs', async () => {
  const [mine, other] = [await newCompany(null), await newCompany(null)];
  const role_id = await newRole({ type: 'admin', new_routes: ['admin.*'] });
  const limited = { are_all_companies_available: false, responsibility_ids: [mine] };
  const { token } = await insertUser({ type: 'admin', role_id, ...limited });
  expect(await call(`GET ${COMPANIES}`, { token })).toMatchObject({
    body: { data: [{ id: mine }], meta: { total: 1 } },
  });
  expect((await call(`GET ${COMPANIES}/${mine}`, { token })).status).toBe(200);
  for (const request of [`GET ${COMPANIES}/${other}`, `DELETE ${COMPANIES}/${other}`]) {
    expect((await call(request, { token })).status).toBe(404);
  }
  expect((await call(`PUT ${COMPANIES}/${other}`, { token, json: { name: 'X' } })).status).toBe(404);
  const refused = await call(`POST ${STAFF}`, { token, json: worker(other, { type: 'director' }) });
  expect(refused.body).toMatchObject({ errors: { company_id: ['Выбранная запись не найдена.'] } });
});

test('a role is unique by name within its company, and its rights belong to the area of its type', async () => {
  const [one, other] = [await newCompany(null), await newCompany(null)];
  const role = { type: 'employee', name: 'Kassir', new_routes: ['company.product.*'] };
  expect((await post(ROLES, { ...role, company_id: one })).status).toBe(200);
  expect((await post(ROLES, { ...role, company_id: other })).status).toBe(200);
  expect((await post(ROLES, { ...role, name: 'KASSIR', company_id: one })).body).toMatchObject({
    errors: { name: ['Такое значение уже занято.'] },
  });
  expect(
    (await post(ROLES, { ...role, new_routes: ['company.*', 'admin.*'], company_id: null })).body,
  ).toMatchObject({
    errors: { company_id: ['Обязательное поле.'], 'new_routes.1': [expect.stringContaining('company.')] },
  });
});

test('nobody gives rights they do not have, and only a super-administrator makes super-administrators', async () => {
  const role_id = await newRole({ type: 'admin', new_routes: ['admin.user.*', 'admin.company.*'] });
  const { token } = await insertUser({ type: 'admin', role_id });
  const json = {
    type: 'admin',
    name: `Role ${randomUUID()}`,
    new_routes: ['admin.user.role.index', 'admin.region.*'],
  };
  expect((await call(`POST ${ROLES}`, { token, json })).body).toMatchObject({
    errors: { 'new_routes.1': ['Нельзя дать право, которого нет у вас.'] },
  });
  const over = { type: 'super_admin', name: `Role ${randomUUID()}`, new_routes: [] };
  expect((await call(`POST ${ROLES}`, { token, json: over })).body).toMatchObject({
    errors: { type: [expect.any(String)] },
  });
});

test('a changed role is in force at the next call; one that users have is not deleted (Contract 3)', async () => {
  const family = await newFamily();
  const role = {
    type: 'employee',
    name: 'Kassir',
    new_routes: ['company.product.brand.index'],
    company_id: family.companyId,
  };
  const { id: role_id } = Id.parse((await post(ROLES, role)).body);
  const { token } = await insertUser({
    type: 'employee',
    role_id,
    company_id: family.companyId,
    family_id: family.companyId,
  });
  const list = async () => (await call('GET /company/product/brand', { token })).status;
  expect(await list()).toBe(200);
  await call(`PUT ${ROLES}/${role_id}`, { token: admin, json: { ...role, new_routes: [] } });
  expect(await list()).toBe(403);
  await call(`PUT ${ROLES}/${role_id}`, { token: admin, json: { ...role, new_routes: ['company.*'] } });
  expect(await list()).toBe(200);
  expect((await call(`DELETE ${ROLES}/${role_id}`, { token: admin })).status).toBe(400);
  expect(await list()).toBe(200);
});

test("an employee has a role of the company's family; a director may have none", async () => {
  const [one, other] = [await newCompany(null), await newCompany(null)];
  const foreign = await newRole({ type: 'employee', company_id: other, family_id: other, new_routes: [] });
  expect((await post(STAFF, worker(one))).body).toMatchObject({
    errors: { role_id: ['Обязательное поле.'] },
  });
  expect((await post(STAFF, worker(one, { role_id: foreign }))).body).toMatchObject({
    errors: { role_id: ['Выбранная запись не найдена.'] },
  });
  const made = await post(STAFF, worker(one, { type: 'director' }));
  expect(made).toMatchObject({ status: 200, body: { type: 'director', company_id: one } });
});

test('the list of staff shows directors and employees only, by company', async () => {
  const { companyId, directorId } = await newFamily();
  const found = await call(`GET ${STAFF}?filter[company_id]=${companyId}&with[]=company`, { token: admin });
  expect(found).toMatchObject({ body: { data: [{ id: directorId, company: { id: companyId } }] } });
  const administrator = await insertUser({ type: 'admin' });
  expect((await call(`GET ${STAFF}/${administrator.id}`, { token: admin })).status).toBe(404);
});

test('a move to another family ends the sessions, and then only the new family is seen', async () => {
  const [one, other] = [await newFamily(), await newFamily()];
  await call('POST /company/product/brand', {
    token: one.director,
    json: { name: 'Artel', image_old_keys: '[]' },
  });
  const { new_password, new_password_confirmation, ...json } = worker(other.companyId, { type: 'director' });
  expect(new_password).toBe(new_password_confirmation);
  const moved = await call(`PUT ${STAFF}/${one.directorId}`, { token: admin, json });
  expect(moved).toMatchObject({ status: 200, body: { company_id: other.companyId } });
  expect((await call('GET /company/product/brand', { token: one.director })).status).toBe(401);
  const auth = await call(`PATCH /admin/user/user/${one.directorId}/auth-as`, { token: admin });
  const { token } = z.object({ token: z.string() }).parse(auth.body);
  expect(await call('GET /company/product/brand', { token })).toMatchObject({ body: { meta: { total: 0 } } });
});
