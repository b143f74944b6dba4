import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { newRole, newSuperAdministrator, newUser } from '#tests/kit/family.ts';
import { call } from '#tests/kit/http.ts';

const USERS = '/admin/user/user';

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
