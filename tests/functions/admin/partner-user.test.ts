import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { newRole, newSuperAdministrator } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { errorsOf, idsOf, make, NOT_FOUND } from '#tests/support/records.ts';
import { insertUser } from '#tests/support/users.ts';

const USERS = '/admin/partner/user';
const PARTNERS = '/admin/partner/partner';
const PASSWORD = 'Office-2026';

const Token = z.object({ token: z.string() });

let token: string;
let partner_id: number;

beforeAll(async () => {
  token = await newSuperAdministrator();
  partner_id = await make(PARTNERS, token, { name: 'Hamkor' });
});

function form(given: object = {}) {
  return {
    partner_id,
    username: `partner.${randomUUID()}`,
    phone: '998901112233',
    new_password: PASSWORD,
    new_password_confirmation: PASSWORD,
    ...given,
  };
}

async function signIn(username: string, password = PASSWORD) {
  const { status, body } = await call('POST /common/auth/login', { json: { username, password } });
  expect(status).toBe(200);
  return Token.parse(body).token;
}

test('a user of a partner is made, found, changed, deleted and restored (Contract 7, "Users of partners")', async () => {
  const json = form({ profile: { first_name: 'Ali' } });
  const id = await make(USERS, token, json);
  const listed = await call(`GET ${USERS}?filter[partner_id]=${partner_id}&filter[id]=${id}&with[]=profile`, {
    token,
  });
  const { username, phone } = json;
  expect(listed.body).toMatchObject({
    data: [{ id, type: 'partner', partner_id, username, phone, profile: { first_name: 'Ali' } }],
    meta: { total: 1 },
  });
  const signedIn = await signIn(username);
  expect((await call('GET /partner/company', { token: signedIn })).status).toBe(200);
  expect((await call('GET /company/product/brand', { token: signedIn })).status).toBe(403);
  const changed = form({ username, phone: '998935554433', new_password: '', new_password_confirmation: '' });
  expect(await call(`PUT ${USERS}/${id}`, { token, json: changed })).toMatchObject({
    status: 200,
    body: { id, phone: '998935554433', partner_id },
  });
  expect((await call('GET /partner/company', { token: signedIn })).status).toBe(200);
  expect((await call(`PUT ${USERS}/${id}`, { token, json: form({ username }) })).status).toBe(200);
  expect((await call('GET /partner/company', { token: signedIn })).status).toBe(401);
  expect((await call(`DELETE ${USERS}/${id}`, { token })).status).toBe(200);
  expect((await call(`GET ${USERS}/${id}`, { token })).status).toBe(404);
  expect(await idsOf(USERS, token, `filter[id]=${id}&show[]=only-deleted`)).toEqual([id]);
  expect((await call(`DELETE ${USERS}/${id}/restore`, { token })).status).toBe(200);
  expect((await call(`DELETE ${USERS}/${id}/restore`, { token })).status).toBe(404);
  expect((await call(`GET ${USERS}/${id}`, { token })).body).toMatchObject({ id, is_deleted: false });
});

test("a partner's user without role_id has the partner's role Partner, made with the partner (Contract 9.71)", async () => {
  const own = await make(PARTNERS, token, { name: 'Sherik' });
  const given = { type: 'partner', name: 'Partner', new_routes: ['partner.*'], partner_id: own };
  const roles = await call(`GET /admin/user/role?filter[partner_id]=${own}`, { token });
  expect(roles.body).toMatchObject({ data: [given], meta: { total: 1 } });
  const json = form({ partner_id: own });
  const id = await make(USERS, token, json);
  expect((await call(`GET ${USERS}/${id}?with[]=role`, { token })).body).toMatchObject({ role: given });
  const profile = await call('GET /common/user/profile', { token: await signIn(json.username) });
  expect(profile.body).toMatchObject({ role: given, partner: { id: own } });
});

test('a partner, a role of another one and a taken name are 422; names and passwords have their rules', async () => {
  const foreign = await newRole({ type: 'partner', partner_id, new_routes: [] });
  const other = await make(PARTNERS, token, { name: 'Boshqa' });
  expect(await errorsOf(`POST ${USERS}`, token, form({ partner_id: 987_654 }))).toEqual({
    partner_id: NOT_FOUND,
  });
  const wrong = form({ partner_id: other, role_id: foreign });
  expect(await errorsOf(`POST ${USERS}`, token, wrong)).toEqual({ role_id: NOT_FOUND });
  expect(Object.keys(await errorsOf(`POST ${USERS}`, token, {}))).toEqual(
    expect.arrayContaining(['partner_id', 'username', 'phone', 'new_password']),
  );
});

test('a partner with users is not deleted: 400', async () => {
  const own = await make(PARTNERS, token, { name: 'Band' });
  const id = await make(USERS, token, form({ partner_id: own }));
  expect((await call(`DELETE ${PARTNERS}/${own}`, { token })).status).toBe(400);
  await call(`DELETE ${USERS}/${id}`, { token });
  expect((await call(`DELETE ${PARTNERS}/${own}`, { token })).status).toBe(200);
  expect((await call(`DELETE ${USERS}/${id}/restore`, { token })).status).toBe(422);
});

test('who is responsible for chosen companies reaches no user of a partner, and makes none', async () => {
  const role_id = await newRole({ type: 'admin', new_routes: ['admin.*'] });
  const limits = { are_all_companies_available: false, responsibility_ids: [] };
  const limited = await insertUser({ type: 'admin', role_id, ...limits });
  const id = await make(USERS, token, form());
  expect((await call(`GET ${USERS}/${id}`, { token: limited.token })).status).toBe(404);
  expect((await call(`DELETE ${USERS}/${id}`, { token: limited.token })).status).toBe(404);
  expect(await errorsOf(`POST ${USERS}`, limited.token, form())).toEqual({ partner_id: NOT_FOUND });
});

test('an administrator acts as a user of a partner', async () => {
  const id = await make(USERS, token, form());
  const { body } = await call(`PATCH /admin/user/user/${id}/auth-as`, { token });
  expect((await call('GET /partner/company', { token: Token.parse(body).token })).status).toBe(200);
});

test('a user for a partner who is not there leaves nothing behind that the partner would trip over', async () => {
  const last = await make(PARTNERS, token, { name: 'Oxirgi' });
  for (const next of [1, 2, 3]) {
    expect(await errorsOf(`POST ${USERS}`, token, form({ partner_id: last + next }))).toEqual({
      partner_id: NOT_FOUND,
    });
  }
  for (const name of ['Bir', 'Ikki', 'Uch']) await make(PARTNERS, token, { name });
});
