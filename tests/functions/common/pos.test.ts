import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { hashPassword } from '#lib/auth/passwords.ts';
import { posLogin } from '#lib/cash/desk/pos.ts';
import { translate } from '#lib/values/message.ts';
import { newPartner } from '#tests/support/external.ts';
import { newFamily, newSuperAdministrator } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import type { Family } from '#tests/support/provisioning.ts';
import { make, NOT_FOUND } from '#tests/support/records.ts';
import { insertUser } from '#tests/support/users.ts';

const LOGIN = 'POST /common/auth/pos-login';
const PING = 'POST /common/auth/pos-ping';
const PASSWORD = 'Shop-2026-key';
const HOUR = 3_600_000;

const WRONG_PAIR = { username: ['Неверный логин или пароль.'] };
const SignedIn = z.object({ token: z.string() });
const Standing = z.object({ expires_at: z.string() });

type Person = Parameters<typeof insertUser>[0];

const password_hash = await hashPassword(PASSWORD);

async function newPerson(given: Person): Promise<string> {
  const username = `pos.${randomUUID()}`;
  await insertUser({ username, password_hash, ...given });
  return username;
}

function employeeOf({ companyId }: Family, given: Partial<Person> = {}): Promise<string> {
  return newPerson({ type: 'employee', company_id: companyId, family_id: companyId, ...given });
}

function newDesk({ director }: Family, given: object = {}): Promise<number> {
  return make('/company/cashbox/cashbox', director, { name: `Desk ${randomUUID()}`, type: 'sale', ...given });
}

/** Creates a family with a desk, and an employee to whom it is open. */
async function newPost() {
  const family = await newFamily();
  const cashbox_id = await newDesk(family);
  return { family, cashbox_id, username: await employeeOf(family, { cashbox_ids: [cashbox_id] }) };
}

async function tokenAt(username: string, cashbox_id: number): Promise<string> {
  const { body } = await call(LOGIN, { json: { username, password: PASSWORD, cashbox_id } });
  return SignedIn.parse(body).token;
}

const profile = async (token: string) => (await call('GET /common/user/profile', { token })).status;

test('at a desk of a company without the till’s window nobody signs in: 422 on cashbox_id (Contract 9.116)', async () => {
  const { family, cashbox_id, username } = await newPost();
  const token = await newSuperAdministrator();
  const setWindow = (is_pos_window_enabled: boolean) =>
    call(`PUT /admin/company/company/${family.companyId}`, {
      token,
      json: { name: 'Savdo', is_pos_window_enabled },
    });
  await setWindow(false);
  const refused = await call(LOGIN, { json: { username, password: PASSWORD, cashbox_id } });
  expect(refused).toMatchObject({
    status: 422,
    body: { errors: { cashbox_id: [translate('ru', { key: 'auth.pos_disabled' })] } },
  });
  await setWindow(true);
  await tokenAt(username, cashbox_id);
});

test('signing in at a desk gives a token and the session it is good for, twelve hours', async () => {
  const { cashbox_id, username } = await newPost();
  const signedIn = await call(LOGIN, { json: { username, password: PASSWORD, cashbox_id } });
  const { status, body } = signedIn;
  expect(status).toBe(200);
  const session = {
    id: signedIn.number('session.id'),
    cashbox_id,
    expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
  };
  expect(body).toEqual({ token: expect.any(String), session });
  expect(await profile(SignedIn.parse(body).token)).toBe(200);
});

test('a wrong pair, and the right pair of a user without a company, get the same answer', async () => {
  const { cashbox_id, username } = await newPost();
  const admin = await newPerson({ type: 'super_admin' });
  const partner = await newPerson({ type: 'partner', partner_id: await newPartner() });
  const told = { fields: { username: { key: 'auth.wrong_credentials' } } };
  for (const [name, password] of [
    [username, 'wrong-2026'],
    ['nobody.at.all', PASSWORD],
    [partner, PASSWORD],
  ] as const) {
    const attempt = posLogin({ username: name, password, cashbox_id }, randomUUID(), Date.now());
    await expect(attempt).rejects.toMatchObject({ status: 422, ...told });
  }
  // Over HTTP only once: all tests share an address, which is limited to five failures a minute.
  const reply = await call(LOGIN, { json: { username: admin, password: PASSWORD, cashbox_id } });
  expect(reply).toMatchObject({ status: 422, body: { errors: WRONG_PAIR } });
});

test('a desk must be open to the user: not another’s, not of another family, not deleted', async () => {
  const { family, username } = await newPost();
  const stranger = await newFamily();
  const gone = await newDesk(family);
  const director = await newPerson({
    type: 'director',
    company_id: family.companyId,
    family_id: family.companyId,
  });
  await call(`DELETE /company/cashbox/cashbox/${gone}`, { token: family.director });
  const elsewhere = await Promise.all(Array.from({ length: 5 }, () => newDesk(stranger)));
  const refused = [
    [username, await newDesk(family)],
    [director, gone],
    [director, Math.max(...elsewhere)],
  ] as const;
  for (const [name, cashbox_id] of refused) {
    const reply = await call(LOGIN, { json: { username: name, password: PASSWORD, cashbox_id } });
    expect(reply).toMatchObject({ status: 422, body: { errors: { cashbox_id: [NOT_FOUND] } } });
  }
});

test('a refused desk ends no session and counts as no failure', async () => {
  const { family, cashbox_id, username } = await newPost();
  const token = await tokenAt(username, cashbox_id);
  const other = await newDesk(family);
  for (let each = 0; each < 6; each++) {
    const reply = await call(LOGIN, { json: { username, password: PASSWORD, cashbox_id: other } });
    expect(reply.status).toBe(422);
  }
  expect(await profile(token)).toBe(200);
  expect(await profile(await tokenAt(username, cashbox_id))).toBe(200);
});

test('all fields are required', async () => {
  const { status, body } = await call(LOGIN, { json: {} });
  expect(status).toBe(422);
  const errors = { username: expect.anything(), password: expect.anything(), cashbox_id: expect.anything() };
  expect(body).toMatchObject({ errors });
});

test('failures at desks count with those of the ordinary sign-in', async () => {
  const { cashbox_id, username } = await newPost();
  const at = Date.now() + HOUR;
  const ip = randomUUID();
  const attempt = (password: string, when: number) => posLogin({ username, password, cashbox_id }, ip, when);
  for (let each = 0; each < 5; each++) {
    await expect(attempt('wrong-2026', at + each)).rejects.toMatchObject({ status: 422 });
  }
  await expect(attempt(PASSWORD, at + 1000)).rejects.toMatchObject({ status: 429 });
  await expect(attempt(PASSWORD, at + 60_000)).resolves.toMatchObject({ session: { cashbox_id } });
});

test('a second sign-in at a desk ends the first, and leaves other desks alone', async () => {
  const { family, cashbox_id, username } = await newPost();
  const other = await newDesk(family);
  const colleague = await employeeOf(family, { cashbox_ids: [cashbox_id, other] });
  const first = await tokenAt(username, cashbox_id);
  const apart = await tokenAt(colleague, other);
  const second = await tokenAt(colleague, cashbox_id);
  expect(await profile(first)).toBe(401);
  expect(await profile(second)).toBe(200);
  expect(await profile(apart)).toBe(200);
  expect(await call(PING, { token: first })).toMatchObject({
    status: 200,
    body: { is_active: false, cashbox_id, expires_at: null },
  });
  expect((await call(PING, { token: second })).body).toMatchObject({ is_active: true });
});

test('of many sign-ins at a desk at the same moment one session stays', async () => {
  const { cashbox_id, username } = await newPost();
  const tokens = await Promise.all(Array.from({ length: 4 }, () => tokenAt(username, cashbox_id)));
  const statuses = await Promise.all(tokens.map(profile));
  expect(statuses.sort()).toEqual([200, 401, 401, 401]);
});

test('a ping prolongs the session by twelve hours from now', async () => {
  const { cashbox_id, username } = await newPost();
  const began = Date.now() - 11 * HOUR;
  const { token } = await posLogin({ username, password: PASSWORD, cashbox_id }, randomUUID(), began);
  const { status, body } = await call(PING, { token });
  expect(status).toBe(200);
  expect(body).toMatchObject({ is_active: true, cashbox_id });
  const until = Date.parse(`${Standing.parse(body).expires_at.replace(' ', 'T')}+05:00`);
  expect(Math.abs(until - Date.now() - 12 * HOUR)).toBeLessThan(60_000);
});

test('a session that nobody has prolonged for twelve hours has expired: 401 everywhere, and no ping revives it', async () => {
  const { cashbox_id, username } = await newPost();
  const began = Date.now() - 12 * HOUR - 1000;
  const { token } = await posLogin({ username, password: PASSWORD, cashbox_id }, randomUUID(), began);
  expect(await profile(token)).toBe(401);
  expect((await call('GET /company/trade/sale', { token })).status).toBe(401);
  const ended = { is_active: false, cashbox_id, expires_at: null };
  expect(await call(PING, { token })).toMatchObject({ status: 200, body: ended });
  expect(await profile(token)).toBe(401);
});

test('a ping with a token of the ordinary sign-in is 400, without one 401', async () => {
  const { director } = await newFamily();
  expect(await call(PING, { token: director })).toMatchObject({
    status: 400,
    body: { message: 'Это не токен кассы: войдите через кассовый вход.' },
  });
  expect((await call(PING)).status).toBe(401);
});

test('a logout also ends the session at the desk: even a ping is 401', async () => {
  const { cashbox_id, username } = await newPost();
  const token = await tokenAt(username, cashbox_id);
  expect((await call('POST /common/auth/logout', { token })).status).toBe(200);
  expect(await profile(token)).toBe(401);
  expect((await call(PING, { token })).status).toBe(401);
});

test('a token of a till moves the money of that till alone', async () => {
  const family = await newFamily();
  const [own, other] = [await newDesk(family), await newDesk(family)];
  const username = await newPerson({
    type: 'director',
    company_id: family.companyId,
    family_id: family.companyId,
  });
  const reason_id = await make('/company/cashbox/reason', family.director, { type: 'income', name: 'Взнос' });
  const token = await tokenAt(username, own);
  const money = { type: 'income', payment_type: 'cash', currency: 'uzs', amount: 10, reason_id };
  const bring = (cashbox_id: number) =>
    call('POST /company/cashbox/operation', { token, json: { cashbox_id, ...money } });
  expect((await bring(own)).status).toBe(200);
  expect(await bring(other)).toMatchObject({ status: 422, body: { errors: { cashbox_id: [NOT_FOUND] } } });
  expect((await call(`GET /company/cashbox/cashbox/${other}`, { token })).status).toBe(200);
});
