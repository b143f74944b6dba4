import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { administratorForm } from '#tests/support/administrator.ts';
import { newCompany, newFamily, newRole, newSuperAdministrator } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { insertUser } from '#tests/support/users.ts';

const USERS = '/admin/user/user';

const Id = z.object({ id: z.int() });
const Token = z.object({ token: z.string() });
const Found = z.object({ data: z.array(z.object({ id: z.int() })) });

let admin: string;
let role_id: number;

beforeAll(async () => {
  admin = await newSuperAdministrator();
  role_id = await newRole({ type: 'admin', new_routes: ['admin.*'] });
});

const form = (given: object = {}) => administratorForm(role_id, given);

async function create(given: object = {}) {
  return call(`POST ${USERS}`, { token: admin, json: form(given) });
}

async function ids(query: string): Promise<number[]> {
  const { body } = await call(`GET ${USERS}?${query}`, { token: admin });
  return Found.parse(body).data.map(({ id }) => id);
}

test('creating makes an administrator and answers with exactly the documented fields', async () => {
  const { status, body } = await create({ telephony_sip_number: '101' });
  expect(status).toBe(200);
  expect(Object.keys(z.record(z.string(), z.unknown()).parse(body)).sort()).toEqual(
    'are_all_companies_available created_at id is_deleted last_login_at phone role_id telephony_sip_number type updated_at username'.split(
      ' ',
    ),
  );
  expect(body).toMatchObject({
    type: 'admin',
    last_login_at: null,
    is_deleted: false,
    telephony_sip_number: '101',
  });
});

test('all failing fields are named at once', async () => {
  const { status, body } = await call(`POST ${USERS}`, {
    token: admin,
    json: {
      role_id: 'x',
      username: 'я!',
      phone: '123',
      telephony_sip_number: '12345678901',
      are_all_companies_available: 'perhaps',
      new_password: 'no digit here',
      new_password_confirmation: 'other',
      profile: { first_name: '1' },
      companies_responsibility: ['x'],
    },
  });
  expect(status).toBe(422);
  expect(body).toMatchObject({
    errors: {
      role_id: ['Значение должно быть числом.'],
      username: [expect.any(String)],
      phone: ['Телефон должен быть в формате 998xxyyyzzzz.'],
      telephony_sip_number: ['Не длиннее 10 символов.'],
      are_all_companies_available: ['Значение должно быть логическим.'],
      new_password: ['Пароль должен содержать хотя бы одну букву и одну цифру.'],
      new_password_confirmation: ['Подтверждение не совпадает с паролем.'],
      'profile.first_name': ['Только буквы, пробелы, дефис и апостроф после буквы.'],
      'companies_responsibility.0': ['Значение должно быть числом.'],
    },
  });
});

test('what only the table knows is also named at once', async () => {
  const taken = `admin.${randomUUID()}`;
  await create({ username: taken });
  const { body } = await create({
    username: taken.toUpperCase(),
    role_id: 999_999,
    companies_responsibility: [999_999],
  });
  expect(body).toMatchObject({
    errors: {
      username: ['Такое значение уже занято.'],
      role_id: ['Выбранная запись не найдена.'],
      'companies_responsibility.0': ['Выбранная запись не найдена.'],
    },
  });
});

test.each([
  [{ username: 'ab' }, 'username'],
  [{ username: 'a'.repeat(256) }, 'username'],
  [{ username: 'with space' }, 'username'],
  [{ new_password: 'Short-1', new_password_confirmation: 'Short-1' }, 'new_password'],
  [
    {
      username: 'same.Name.2026',
      new_password: 'Same.name.2026',
      new_password_confirmation: 'Same.name.2026',
    },
    'new_password',
  ],
  [{ new_password: undefined, new_password_confirmation: undefined }, 'new_password'],
  [{ companies_responsibility: Array.from({ length: 101 }, () => 1) }, 'companies_responsibility'],
])('%j is refused on %s', async (given, field) => {
  const { status, body } = await create(given);
  expect(status).toBe(422);
  expect(body).toMatchObject({ errors: { [field]: [expect.any(String)] } });
});

test('the role must be of the same kind as the type of the user', async () => {
  const role = await newRole({ type: 'partner', new_routes: [] });
  const { body } = await create({ role_id: role });
  expect(body).toMatchObject({ errors: { role_id: ['Роль должна соответствовать типу пользователя.'] } });
});

test('filters find users by id, type, role, company, responsibility, username or phone', async () => {
  const { companyId, directorId } = await newFamily();
  const username = `admin.${randomUUID()}`;
  const phone = `9989${String(process.hrtime.bigint()).slice(-8)}`;
  const role = await newRole({ type: 'admin', new_routes: [] });
  const given = { username, phone, role_id: role, are_all_companies_available: false };
  const { id } = Id.parse((await create({ ...given, companies_responsibility: [companyId] })).body);

  expect(await ids(`filter[id]=${id}`)).toEqual([id]);
  expect(await ids(`filter[id][]=${id}&filter[id][]=${directorId}&sort[]=id`)).toEqual(
    [id, directorId].sort((a, b) => a - b),
  );
  expect(await ids(`filter[role_id]=${role}`)).toEqual([id]);
  expect(await ids(`filter[company_id]=${companyId}`)).toEqual([directorId]);
  expect(await ids(`filter[company_id]=${companyId}&filter[type]=employee`)).toEqual([]);
  expect(await ids(`filter[companies_responsibility.id]=${companyId}`)).toEqual([id]);
  expect(await ids(`filter[companies_responsibility.id][]=${companyId}`)).toEqual([id]);
  expect(await ids(`filter[username_or_phone]=${username}`)).toEqual([id]);
  expect(await ids(`filter[username_or_phone]=${phone}`)).toEqual([id]);
  expect(await ids(`filter[are_all_companies_available]=0&filter[role_id]=${role}`)).toEqual([id]);
  expect(await ids(`filter[are_all_companies_available]=1&filter[role_id]=${role}`)).toEqual([]);
  expect(await ids(`filter[partner_id]=987654`)).toEqual([]);
});

test('users are sorted by id and username, both ways', async () => {
  const role = await newRole({ type: 'admin', new_routes: [] });
  const prefix = randomUUID();
  const [b, a] = [
    await create({ role_id: role, username: `${prefix}.b` }),
    await create({ role_id: role, username: `${prefix}.a` }),
  ];
  const [idB, idA] = [Id.parse(b.body).id, Id.parse(a.body).id];
  expect(await ids(`filter[role_id]=${role}&sort[]=id`)).toEqual([idB, idA]);
  expect(await ids(`filter[role_id]=${role}&sort[]=-id`)).toEqual([idA, idB]);
  expect(await ids(`filter[role_id]=${role}&sort[]=username`)).toEqual([idA, idB]);
  expect(await ids(`filter[role_id]=${role}&sort[]=-username`)).toEqual([idB, idA]);
});

test('with[] embeds profile, role, company, partner and companies_responsibility, and only what is asked for', async () => {
  const companyId = await newCompany(null);
  const { id } = Id.parse(
    (
      await create({
        companies_responsibility: [companyId],
        profile: { first_name: 'Ali', last_name: 'Karimov' },
      })
    ).body,
  );
  const plain = await call(`GET ${USERS}/${id}`, { token: admin });
  for (const name of ['profile', 'role', 'company', 'companies_responsibility', 'password_hash', 'session']) {
    expect(plain.body).not.toHaveProperty(name);
  }
  const names = ['profile', 'role', 'company', 'partner', 'companies_responsibility'];
  const query = names.map((name) => `with[]=${name}`).join('&');
  expect((await call(`GET ${USERS}/${id}?${query}`, { token: admin })).body).toMatchObject({
    profile: { full_name: 'Karimov Ali' },
    role: { id: role_id, type: 'admin', new_routes: ['admin.*'] },
    company: null,
    partner: null,
    companies_responsibility: [{ id: companyId }],
  });
});

test('an edit answers with a message, and a new password ends all sessions of the user', async () => {
  const username = `admin.${randomUUID()}`;
  const { id } = Id.parse((await create({ username })).body);
  const credentials = { username, password: 'Office-2026' };
  const { token } = Token.parse((await call('POST /common/auth/login', { json: credentials })).body);
  const edit = (given: object) => {
    const json = form({ username, new_password: undefined, new_password_confirmation: undefined, ...given });
    return call(`PUT ${USERS}/${id}`, { token: admin, json });
  };
  expect(await edit({ phone: '998939998877' })).toMatchObject({ status: 200, body: { message: 'Успешно' } });
  expect(await call('GET /common/user/profile', { token })).toMatchObject({
    status: 200,
    body: { phone: '998939998877' },
  });
  await edit({ new_password: 'Office-2027', new_password_confirmation: 'Office-2027' });
  expect((await call('GET /common/user/profile', { token })).status).toBe(401);
});

test('an administrator who changes their own password gets a new token', async () => {
  const me = await insertUser({ type: 'admin', role_id });
  const json = form({
    username: `me.${randomUUID()}`,
    new_password: 'Mine-2026',
    new_password_confirmation: 'Mine-2026',
  });
  const { body } = await call(`PUT ${USERS}/${me.id}`, { token: me.token, json });
  expect((await call('GET /common/user/profile', { token: me.token })).status).toBe(401);
  expect((await call('GET /common/user/profile', { token: Token.parse(body).token })).status).toBe(200);
});

test("a super-administrator's role can not change, and they and oneself can not be deleted", async () => {
  const [superior, me] = [
    await insertUser({ type: 'super_admin', role_id: null }),
    await insertUser({ type: 'admin', role_id }),
  ];
  const changed = await call(`PUT ${USERS}/${superior.id}`, { token: admin, json: form() });
  expect(changed).toMatchObject({
    status: 422,
    body: { errors: { role_id: ['Роль этого пользователя изменить нельзя.'] } },
  });
  for (const id of [superior.id, me.id]) {
    expect((await call(`DELETE ${USERS}/${id}`, { token: me.token })).status).toBe(400);
  }
});

test('a deleted user is signed out, is found by show[] only, and comes back without the old sessions', async () => {
  const user = await insertUser({ type: 'admin', role_id });
  expect((await call(`DELETE ${USERS}/${user.id}`, { token: admin })).status).toBe(200);
  expect((await call('GET /common/user/profile', { token: user.token })).status).toBe(401);
  expect((await call(`GET ${USERS}/${user.id}`, { token: admin })).status).toBe(404);
  expect(await ids(`filter[id]=${user.id}`)).toEqual([]);
  expect(await ids(`filter[id]=${user.id}&show[]=only-deleted`)).toEqual([user.id]);
  expect(await ids(`filter[id]=${user.id}&show[]=with-deleted`)).toEqual([user.id]);
  expect((await call(`DELETE ${USERS}/${user.id}/restore`, { token: admin })).status).toBe(200);
  expect((await call(`DELETE ${USERS}/${user.id}/restore`, { token: admin })).status).toBe(404);
  expect((await call('GET /common/user/profile', { token: user.token })).status).toBe(401);
});

test('auth-as gives a token of a director, and is refused for administrators', async () => {
  const { directorId } = await newFamily();
  const { status, body } = await call(`PATCH ${USERS}/${directorId}/auth-as`, { token: admin });
  expect(status).toBe(200);
  const { token } = Token.parse(body);
  expect(await call('GET /common/user/profile', { token })).toMatchObject({
    status: 200,
    body: { id: directorId },
  });
  expect((await call('GET /company/product/brand', { token })).status).toBe(200);
  const { impersonator } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  expect(impersonator).toMatchObject({ user: expect.any(Number) });

  const other = await insertUser({ type: 'admin', role_id });
  expect(await call(`PATCH ${USERS}/${other.id}/auth-as`, { token: admin })).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('Войти можно только') },
  });
});
