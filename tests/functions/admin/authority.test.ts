import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { newRole, newSuperAdministrator, newUser } from '#tests/kit/family.ts';
import { call } from '#tests/kit/http.ts';

const USERS = '/admin/user/user';
const NOT_HELD = { errors: { role_id: ['Нельзя дать право, которого нет у вас.'] } };

let admin: string;
let role_id: number;

beforeAll(async () => {
  role_id = await newRole({ type: 'admin', new_routes: ['admin.*'] });
  admin = (await newUser({ type: 'admin', role_id })).token;
});

function form(given: object = {}) {
  return {
    role_id,
    username: `admin.${randomUUID()}`,
    phone: '998901112233',
    are_all_companies_available: true,
    new_password: 'Office-2026',
    new_password_confirmation: 'Office-2026',
    ...given,
  };
}

test('only a super-administrator changes the name or password of a super-administrator', async () => {
  const superRole = await newRole({ type: 'super_admin', new_routes: [] });
  const superior = await newUser({ type: 'super_admin', role_id: superRole });
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
  const { id, token } = await newUser({ type: 'super_admin', role_id: superRole });
  const own = await call(`PUT ${USERS}/${id}`, { token, json: form({ role_id: superRole }) });
  expect(own).toMatchObject({ status: 200, body: { token: expect.any(String) } });
});

test('an administrator neither deletes nor restores a super-administrator, nor acts as one', async () => {
  const [live, deleted] = [
    await newUser({ type: 'super_admin' }),
    await newUser({ type: 'super_admin', is_deleted: true }),
  ];
  expect((await call(`DELETE ${USERS}/${live.id}`, { token: admin })).status).toBe(400);
  expect((await call(`PATCH ${USERS}/${live.id}/auth-as`, { token: admin })).status).toBe(400);
  expect((await call(`DELETE ${USERS}/${deleted.id}/restore`, { token: admin })).status).toBe(403);
  const peer = await newSuperAdministrator();
  expect((await call(`DELETE ${USERS}/${deleted.id}/restore`, { token: peer })).status).toBe(200);
});

test('nobody gives a role with rights they do not hold, not even to themselves', async () => {
  const weak = await newRole({ type: 'admin', new_routes: ['admin.user.user.*'] });
  const me = await newUser({ type: 'admin', role_id: weak });
  const other = await newUser({ type: 'admin', role_id: weak });
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
  const { token } = await newUser({ type: 'admin', role_id: weak });
  const { id } = await newUser({ type: 'admin', role_id: weak });
  for (const given of [part, weak]) {
    const json = form({ role_id: given });
    expect((await call(`PUT ${USERS}/${id}`, { token, json })).status).toBe(200);
  }
  const superior = await newSuperAdministrator();
  expect((await call(`PUT ${USERS}/${id}`, { token: superior, json: form() })).status).toBe(200);
});

test('nobody takes over a user with more rights by a new password', async () => {
  const weak = await newRole({ type: 'admin', new_routes: ['admin.user.user.*'] });
  const { token } = await newUser({ type: 'admin', role_id: weak });
  const strong = await newUser({ type: 'admin', role_id });
  const taken = await call(`PUT ${USERS}/${strong.id}`, { token, json: form() });
  expect(taken).toMatchObject({ status: 422, body: NOT_HELD });
  expect((await call('GET /common/user/profile', { token: strong.token })).status).toBe(200);
});
