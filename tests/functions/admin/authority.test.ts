import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { administratorForm } from '#tests/support/administrator.ts';
import { newCompany, newFamilyWithBranch, newRole, newSuperAdministrator } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { insertUser } from '#tests/support/users.ts';

const USERS = '/admin/user/user';
const ROLES = '/admin/user/role';
const STAFF = '/admin/company/user';
const BEYOND = { message: expect.stringContaining('У вас нет всех прав') };
const BRANCH_STAFF = { type: 'director', are_all_companies_available: false } as const;
const NOT_HELD = { errors: { role_id: ['Нельзя дать право, которого нет у вас.'] } };

let admin: string;
let role_id: number;

beforeAll(async () => {
  role_id = await newRole({ type: 'admin', new_routes: ['admin.*'] });
  admin = (await insertUser({ type: 'admin', role_id })).token;
});

const form = (given: object = {}) => administratorForm(role_id, given);

test('only a super-administrator changes the name or password of a super-administrator', async () => {
  const superRole = await newRole({ type: 'super_admin', new_routes: [] });
  const superior = await insertUser({ type: 'super_admin', role_id: superRole });
  const json = form({ role_id: superRole });
  const refused = await call(`PUT ${USERS}/${superior.id}`, { token: admin, json });
  expect(refused).toMatchObject({
    status: 403,
    body: { message: 'Только главный администратор может это сделать.' },
  });
  expect(await call('GET /common/user/profile', { token: superior.token })).toMatchObject({
    status: 200,
    body: { username: `user-${superior.id}` },
  });
  const peer = await newSuperAdministrator();
  expect((await call(`PUT ${USERS}/${superior.id}`, { token: peer, json })).status).toBe(200);
  const credentials = { username: json.username, password: json.new_password };
  expect((await call('POST /common/auth/login', { json: credentials })).status).toBe(200);
});

test('a super-administrator changes their own name and password', async () => {
  const superRole = await newRole({ type: 'super_admin', new_routes: [] });
  const { id, token } = await insertUser({ type: 'super_admin', role_id: superRole });
  const own = await call(`PUT ${USERS}/${id}`, { token, json: form({ role_id: superRole }) });
  expect(own).toMatchObject({ status: 200, body: { token: expect.any(String) } });
});

test('an administrator neither deletes nor restores a super-administrator, nor acts as one', async () => {
  const [live, deleted] = [
    await insertUser({ type: 'super_admin' }),
    await insertUser({ type: 'super_admin', is_deleted: true }),
  ];
  expect((await call(`DELETE ${USERS}/${live.id}`, { token: admin })).status).toBe(400);
  expect((await call(`PATCH ${USERS}/${live.id}/auth-as`, { token: admin })).status).toBe(400);
  expect((await call(`DELETE ${USERS}/${deleted.id}/restore`, { token: admin })).status).toBe(403);
  const peer = await newSuperAdministrator();
  expect((await call(`DELETE ${USERS}/${deleted.id}/restore`, { token: peer })).status).toBe(200);
});

test('nobody gives a role with rights they do not hold, not even to themselves', async () => {
  const weak = await newRole({ type: 'admin', new_routes: ['admin.user.user.*'] });
  const me = await insertUser({ type: 'admin', role_id: weak });
  const other = await insertUser({ type: 'admin', role_id: weak });
  const requests = [`PUT ${USERS}/${me.id}`, `PUT ${USERS}/${other.id}`, `POST ${USERS}`];
  for (const request of requests) {
    expect(await call(request, { token: me.token, json: form() })).toMatchObject({
      status: 422,
      body: NOT_HELD,
    });
  }
  expect((await call('GET /admin/user/role', { token: me.token })).status).toBe(403);
});

test('a role may be given by who holds all its rights, and any role by a super-administrator', async () => {
  const [part, weak] = [
    await newRole({ type: 'admin', new_routes: ['admin.user.user.index'] }),
    await newRole({ type: 'admin', new_routes: ['admin.user.user.*'] }),
  ];
  const { token } = await insertUser({ type: 'admin', role_id: weak });
  const { id } = await insertUser({ type: 'admin', role_id: weak });
  for (const given of [part, weak]) {
    const json = form({ role_id: given });
    expect((await call(`PUT ${USERS}/${id}`, { token, json })).status).toBe(200);
  }
  const superior = await newSuperAdministrator();
  expect((await call(`PUT ${USERS}/${id}`, { token: superior, json: form() })).status).toBe(200);
});

test('nobody takes over, deletes or restores a user with more rights', async () => {
  const weak = await newRole({ type: 'admin', new_routes: ['admin.user.user.*'] });
  const { token } = await insertUser({ type: 'admin', role_id: weak });
  const strong = await insertUser({ type: 'admin', role_id });
  const gone = await insertUser({ type: 'admin', role_id, is_deleted: true });
  // Not even with a role of one's own.
  for (const given of [role_id, weak]) {
    const taken = await call(`PUT ${USERS}/${strong.id}`, { token, json: form({ role_id: given }) });
    expect(taken).toMatchObject({ status: 403, body: BEYOND });
  }
  expect(await call(`DELETE ${USERS}/${strong.id}`, { token })).toMatchObject({ status: 403, body: BEYOND });
  expect((await call(`DELETE ${USERS}/${gone.id}/restore`, { token })).status).toBe(403);
  expect((await call('GET /common/user/profile', { token: strong.token })).status).toBe(200);
});

test('nobody takes over, deletes or restores a user to whom more companies are open', async () => {
  const [mine, other] = [await newCompany(null), await newCompany(null)];
  const limits = { role_id, are_all_companies_available: false };
  const { token } = await insertUser({ type: 'admin', ...limits, responsibility_ids: [mine] });
  const peer = await insertUser({ type: 'admin', ...limits, responsibility_ids: [mine] });
  const one = { ...limits, responsibility_ids: [mine, other] };
  const all = { role_id, are_all_companies_available: true };
  // The form leaves the victim's companies as they are.
  const json = () => form({ are_all_companies_available: false });
  for (const more of [one, all]) {
    const victim = await insertUser({ type: 'admin', ...more });
    const gone = await insertUser({ type: 'admin', ...more, is_deleted: true });
    expect((await call(`PUT ${USERS}/${victim.id}`, { token, json: json() })).status).toBe(403);
    expect((await call(`DELETE ${USERS}/${victim.id}`, { token })).status).toBe(403);
    expect((await call(`DELETE ${USERS}/${gone.id}/restore`, { token })).status).toBe(403);
    expect((await call('GET /common/user/profile', { token: victim.token })).status).toBe(200);
  }
  expect((await call(`PUT ${USERS}/${peer.id}`, { token, json: json() })).status).toBe(200);
  expect((await call(`DELETE ${USERS}/${peer.id}`, { token })).status).toBe(200);
});

test('nobody empties, deletes or restores a role that gives more than they have', async () => {
  const weak = await newRole({ type: 'admin', new_routes: ['admin.user.role.*'] });
  const [big, gone] = [
    await newRole({ type: 'admin', new_routes: ['admin.*'] }),
    await newRole({ type: 'admin', new_routes: ['admin.*'], is_deleted: true }),
  ];
  const { token } = await insertUser({ type: 'admin', role_id: weak });
  const json = { type: 'admin', name: `Role ${randomUUID()}`, new_routes: [] };
  expect(await call(`PUT ${ROLES}/${big}`, { token, json })).toMatchObject({ status: 403, body: BEYOND });
  expect(await call(`DELETE ${ROLES}/${big}`, { token })).toMatchObject({ status: 403, body: BEYOND });
  expect((await call(`DELETE ${ROLES}/${gone}/restore`, { token })).status).toBe(403);
});

test('an administrator of one branch opens the family to nobody, and acts as nobody who has it', async () => {
  const { companyId, branch, directorId } = await newFamilyWithBranch();
  const limits = { role_id, are_all_companies_available: false };
  const { token } = await insertUser({ type: 'admin', ...limits, responsibility_ids: [branch] });
  const { token: overAll } = await insertUser({
    type: 'admin',
    ...limits,
    responsibility_ids: [branch, companyId],
  });
  const everywhere = { type: 'director', company_id: branch, role_id: null };
  const json = () => form(everywhere);
  const refused = { errors: { are_all_companies_available: ['Нельзя дать право, которого нет у вас.'] } };
  expect(await call(`POST ${STAFF}`, { token, json: json() })).toMatchObject({ status: 422, body: refused });
  const staff = await insertUser({ ...BRANCH_STAFF, company_id: branch, family_id: companyId });
  const edited = await call(`PUT ${STAFF}/${staff.id}`, { token, json: json() });
  expect(edited).toMatchObject({ status: 422, body: refused });
  expect((await call(`PATCH ${USERS}/${staff.id}/auth-as`, { token })).status).toBe(200);
  const wide = await insertUser({ type: 'director', company_id: branch, family_id: companyId });
  for (const path of [USERS, STAFF]) {
    const taken = form({
      ...everywhere,
      are_all_companies_available: false,
      role_id: path === USERS ? 1 : null,
    });
    expect((await call(`PUT ${path}/${wide.id}`, { token, json: taken })).status).toBe(403);
    expect((await call(`DELETE ${path}/${wide.id}`, { token })).status).toBe(403);
  }
  expect((await call(`PATCH ${USERS}/${wide.id}/auth-as`, { token })).status).toBe(403);
  for (const id of [wide.id, directorId]) {
    expect((await call(`PATCH ${USERS}/${id}/auth-as`, { token: overAll })).status).toBe(200);
  }
  expect((await call(`POST ${STAFF}`, { token: overAll, json: json() })).status).toBe(200);
});
