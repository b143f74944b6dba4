import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { login } from '#lib/people/user/session.ts';
import { newFamily, newSuperAdministrator } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';

const PROFILE = '/common/user/profile';
const PASSWORD = 'Shop-2026-key';

const Token = z.object({ token: z.string() });

const attempt = (username: string, password: string, ip: string, at: number) =>
  login({ username, password }, ip, at).then(
    () => 200,
    (error: { status: number }) => error.status,
  );

/** Creates a director with a password, through an administrator. */
async function newDirector() {
  const admin = await newSuperAdministrator();
  const { companyId } = await newFamily();
  const username = `director.${randomUUID()}`;
  const json = {
    type: 'director',
    company_id: companyId,
    username,
    phone: '998901112233',
    new_password: PASSWORD,
    new_password_confirmation: PASSWORD,
    profile: { first_name: 'Ali', last_name: 'Valiyev', position: 'Direktor' },
  };
  const { status } = await call('POST /admin/company/user', { token: admin, json });
  expect(status).toBe(200);
  return username;
}

async function signIn(username: string, password = PASSWORD): Promise<string> {
  return Token.parse((await call('POST /common/auth/login', { json: { username, password } })).body).token;
}

test('a wrong pair is 422 on username, with the same text whether the name exists or not', async () => {
  const known = await newDirector();
  const answers = [known, 'nobody.at.all'].map((username) =>
    call('POST /common/auth/login', { json: { username, password: 'wrong-2026' } }),
  );
  for (const reply of await Promise.all(answers)) {
    const text = 'Неверный логин или пароль.';
    expect(reply).toMatchObject({ status: 422, body: { message: text, errors: { username: [text] } } });
  }
});

test('a name is taken whatever its letter case', async () => {
  const username = await newDirector();
  expect(await signIn(username.toUpperCase())).toEqual(expect.any(String));
});

test('both fields are required', async () => {
  const { status, body } = await call('POST /common/auth/login', { json: {} });
  expect(status).toBe(422);
  expect(body).toMatchObject({ errors: { username: [expect.any(String)], password: [expect.any(String)] } });
});

test('after five failures in a minute a name is 429 from that address, even with the right password, and free a minute later', async () => {
  const username = await newDirector();
  const at = Date.now();
  const ip = randomUUID();
  for (let each = 0; each < 5; each++) {
    expect(await attempt(username, 'wrong-2026', ip, at + each)).toBe(422);
  }
  expect(await attempt(username, PASSWORD, ip, at + 1000)).toBe(429);
  // Neither the owner at another address nor colleagues at the same one are locked out.
  expect(await attempt(username, PASSWORD, randomUUID(), at + 1000)).toBe(200);
  expect(await attempt(await newDirector(), PASSWORD, ip, at + 1000)).toBe(200);
  expect(await attempt(username, PASSWORD, ip, at + 60_000)).toBe(200);
});

test('addresses of one IPv6 connection are counted as one (Contract 9.93)', async () => {
  const username = await newDirector();
  const at = Date.now();
  const prefix = `2001:db8:${randomUUID().slice(0, 4)}:${randomUUID().slice(0, 4)}`;
  for (let each = 1; each <= 5; each++) {
    expect(await attempt(username, 'wrong-2026', `${prefix}::${each}`, at + each)).toBe(422);
  }
  expect(await attempt(username, PASSWORD, `${prefix}:ffff::9`, at + 1000)).toBe(429);
  expect(await attempt(username, PASSWORD, '2001:db8:ffff:ffff::9', at + 1000)).toBe(200);
});

test('after fifty failures in a minute a name is 429, whatever the addresses', async () => {
  const username = await newDirector();
  const at = Date.now();
  const tries = Array.from({ length: 60 }, () => attempt(username, 'wrong-2026', randomUUID(), at));
  const statuses = (await Promise.all(tries)).sort();
  expect(statuses).toEqual([...Array(50).fill(422), ...Array(10).fill(429)]);
  expect(await attempt(username, PASSWORD, randomUUID(), at)).toBe(429);
});

test('after fifty failures in a minute an address is 429, whatever the names', async () => {
  const at = Date.now();
  const ip = randomUUID();
  const tries = Array.from({ length: 60 }, () => attempt(randomUUID(), 'wrong-2026', ip, at));
  const statuses = (await Promise.all(tries)).sort();
  expect(statuses).toEqual([...Array(50).fill(422), ...Array(10).fill(429)]);
  const username = await newDirector();
  expect(await attempt(username, PASSWORD, ip, at)).toBe(429);
  // Rejected attempts do not count for the name.
  expect(await attempt(username, PASSWORD, randomUUID(), at)).toBe(200);
});

test('fifty wrong passwords at once for a name from an address count as no more than five guesses', async () => {
  const username = await newDirector();
  const ip = randomUUID();
  const tries = Array.from({ length: 50 }, () => attempt(username, 'wrong-2026', ip, Date.now()));
  const statuses = (await Promise.all(tries)).sort();
  expect(statuses).toEqual([...Array(5).fill(422), ...Array(45).fill(429)]);
});

test('a right password does not clear the count of failures (Contract 9.75)', async () => {
  const username = await newDirector();
  const at = Date.now();
  const ip = randomUUID();
  for (let each = 0; each < 4; each++) await attempt(username, 'wrong-2026', ip, at);
  expect(await attempt(username, PASSWORD, ip, at)).toBe(200);
  expect(await attempt(username, 'wrong-2026', ip, at)).toBe(422);
  expect(await attempt(username, PASSWORD, ip, at)).toBe(429);
});

test('a name that grows in folding is a wrong one as any other', async () => {
  const json = { username: '\ufdfa'.repeat(255), password: 'x' };
  expect((await call('POST /common/auth/login', { json })).status).toBe(422);
});

test('twelve valid sign-ins at the same moment from one address all succeed', async () => {
  const usernames = await Promise.all(Array.from({ length: 12 }, newDirector));
  const statuses = usernames.map(async (username) => {
    const reply = await call('POST /common/auth/login', { json: { username, password: PASSWORD } });
    return reply.status;
  });
  expect(await Promise.all(statuses)).toEqual(Array(12).fill(200));
});

test('twelve valid sign-ins of one user at the same moment all succeed', async () => {
  const json = { username: await newDirector(), password: PASSWORD };
  const replies = Array.from({ length: 12 }, () => call('POST /common/auth/login', { json }));
  expect((await Promise.all(replies)).map(({ status }) => status)).toEqual(Array(12).fill(200));
});

test('a valid sign-in goes through although all but one of the tries have failed', async () => {
  const username = await newDirector();
  const at = Date.now();
  const ip = randomUUID();
  for (let each = 0; each < 4; each++) await attempt(username, 'wrong-2026', ip, at);
  const tries = Array.from({ length: 4 }, () => attempt(username, PASSWORD, ip, at));
  expect(await Promise.all(tries)).toEqual([200, 200, 200, 200]);
});

test('sign-ins that succeed are not counted', async () => {
  const username = await newDirector();
  const at = Date.now();
  const ip = randomUUID();
  for (let each = 0; each < 7; each++) expect(await attempt(username, PASSWORD, ip, at + each)).toBe(200);
});

test('the profile shows the user with profile, role, company and partner, and no secret', async () => {
  const username = await newDirector();
  const { status, body } = await call(`GET ${PROFILE}`, { token: await signIn(username) });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    username,
    type: 'director',
    phone: '998901112233',
    is_confirmed: false,
    last_login_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
    profile: {
      first_name: 'Ali',
      last_name: 'Valiyev',
      position: 'Direktor',
      full_name: 'Valiyev Ali',
      birth_date: null,
    },
    role: { name: 'Director', new_routes: ['company.*'] },
    company: { vat_percent: '12', cashbox_shift_settings: { is_enabled: false }, logo: null, parent: null },
    partner: null,
  });
  expect(JSON.stringify(body)).not.toMatch(/password|session|argon2|family_id/);
});

test('the profile is edited, and answers with a token that works', async () => {
  const username = await newDirector();
  const token = await signIn(username);
  const json = {
    phone: '998935554433',
    profile: { first_name: 'Vali', last_name: 'Oktam-Oy' },
  };
  const edited = await call(`PUT ${PROFILE}`, { token, json });
  expect(edited.status).toBe(200);
  const { body } = await call(`GET ${PROFILE}`, { token: Token.parse(edited.body).token });
  expect(body).toMatchObject({
    phone: '998935554433',
    is_confirmed: false,
    profile: { full_name: 'Oktam-Oy Vali' },
  });
  expect((await call(`GET ${PROFILE}`, { token })).status).toBe(200);
});

test('a new password confirms the account and ends every earlier session; the answer has the new token', async () => {
  const username = await newDirector();
  const [one, other] = [await signIn(username), await signIn(username)];
  const json = { phone: '998935554433', new_password: 'Other-2026', new_password_confirmation: 'Other-2026' };
  const { body } = await call(`PUT ${PROFILE}`, { token: one, json });
  for (const token of [one, other]) expect((await call(`GET ${PROFILE}`, { token })).status).toBe(401);
  const after = await call(`GET ${PROFILE}`, { token: Token.parse(body).token });
  expect(after).toMatchObject({ status: 200, body: { is_confirmed: true } });
  expect(await signIn(username, 'Other-2026')).toEqual(expect.any(String));
});

test('a stolen token does not outlive a change of the password by racing it', async () => {
  const username = await newDirector();
  const stolen = await signIn(username);
  const json = { phone: '998935554433' };
  const given: string[] = [];
  let isOver = false;
  const thief = async () => {
    while (!isOver) {
      const { status, body } = await call(`PUT ${PROFILE}`, { token: stolen, json });
      if (status === 200) given.push(Token.parse(body).token);
    }
  };
  const thieves = Array.from({ length: 4 }, thief);
  const change = { ...json, new_password: 'Other-2026', new_password_confirmation: 'Other-2026' };
  const token = await signIn(username);
  expect((await call(`PUT ${PROFILE}`, { token, json: change })).status).toBe(200);
  isOver = true;
  await Promise.all(thieves);
  for (const token of given) expect((await call(`GET ${PROFILE}`, { token })).status).toBe(401);
});

test('of ten password changes at once with one token one succeeds', async () => {
  const token = await signIn(await newDirector());
  const changes = Array.from({ length: 10 }, (_, index) => {
    const password = `Other-2026-${index}`;
    const json = { phone: '998935554433', new_password: password, new_password_confirmation: password };
    return call(`PUT ${PROFILE}`, { token, json });
  });
  const statuses = (await Promise.all(changes)).map(({ status }) => status).sort();
  expect(statuses).toEqual([200, ...Array(9).fill(401)]);
});

test('all failing fields of the profile are named at once', async () => {
  const token = await signIn(await newDirector());
  const json = {
    phone: '901112233',
    new_password: 'short',
    new_password_confirmation: 'other',
    profile: { first_name: 'R2D2', last_name: 'x'.repeat(256), position: 'y'.repeat(256) },
  };
  const { status, body } = await call(`PUT ${PROFILE}`, { token, json });
  expect(status).toBe(422);
  expect(body).toMatchObject({
    errors: {
      phone: ['Телефон должен быть в формате 998xxyyyzzzz.'],
      new_password: ['Пароль должен содержать от 8 до 255 символов.'],
      new_password_confirmation: ['Подтверждение не совпадает с паролем.'],
      'profile.first_name': ['Только буквы, пробелы, дефис и апостроф после буквы.'],
      'profile.last_name': ['Не длиннее 255 символов.'],
      'profile.position': ['Не длиннее 255 символов.'],
    },
  });
});

test('the people of a deleted company sign in and read, but write only their profile', async () => {
  const admin = await newSuperAdministrator();
  const username = await newDirector();
  const before = await call(`GET ${PROFILE}`, { token: await signIn(username) });
  const { company_id } = z.object({ company_id: z.int() }).parse(before.body);
  await call(`DELETE /admin/company/company/${company_id}`, { token: admin });
  const token = await signIn(username);
  expect((await call('GET /company/product/brand', { token })).status).toBe(200);
  const write = await call('POST /company/product/brand', {
    token,
    json: { name: 'X', image_old_keys: '[]' },
  });
  expect(write).toMatchObject({
    status: 400,
    body: { message: expect.stringMatching(/Компания отключена/) },
  });
  expect((await call(`PUT ${PROFILE}`, { token, json: { phone: '998935554433' } })).status).toBe(200);
});
