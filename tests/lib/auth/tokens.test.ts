import { base64url, SignJWT } from 'jose';
import { expect, test } from 'vitest';
import type { Account } from '#lib/auth/account.ts';
import { type Actor, hasRight } from '#lib/auth/actor.ts';
import { hashPassword, isPassword } from '#lib/auth/passwords.ts';
import { issueToken, readToken } from '#lib/auth/tokens.ts';

const AT = Date.parse('2026-11-21T06:00:00Z');
const DAY = 86_400_000;

const account: Account = {
  id: 7,
  type: 'employee',
  username: 'cashier',
  password_hash: '',
  session: 3,
  role_id: 4,
  company_id: 2,
  family_id: 1,
  partner_id: null,
  are_all_companies_available: false,
  responsibility_ids: [],
  cashbox_ids: [],
  stock_ids: [],
  is_deleted: false,
};

test('a token tells whose it is and the session it belongs to', async () => {
  const token = await issueToken(account, AT, {
    impersonator: { id: 'a', user: 9, session: 2, role: null, until: AT + 3_600_000 },
  });
  expect(await readToken(token, AT)).toEqual({
    user: 7,
    session: 3,
    role: 4,
    company: 2,
    family: 1,
    impersonator: { id: 'a', user: 9, session: 2, role: null, until: AT + 3_600_000 },
  });
});

test('a token is good for 30 days', async () => {
  const token = await issueToken(account, AT);
  await expect(readToken(token, AT + 30 * DAY - 1000)).resolves.toMatchObject({ user: 7 });
  await expect(readToken(token, AT + 30 * DAY + 1000)).rejects.toMatchObject({ status: 401 });
});

test('a token that was read before ends in the same second as one that was not, and is still not another', async () => {
  const [met, unmet] = [await issueToken(account, AT), await issueToken({ ...account, id: 8 }, AT)];
  await readToken(met, AT);
  for (const token of [met, unmet]) {
    await expect(readToken(token, AT + 30 * DAY)).rejects.toMatchObject({ status: 401 });
  }
  await expect(readToken(met, AT + 30 * DAY - 1)).resolves.toMatchObject({ user: 7 });
  await expect(readToken(`${met}A`, AT)).rejects.toMatchObject({ status: 401 });
});

test('a token that was changed, unsigned or signed by another is refused', async () => {
  const [header = '', payload = '', signature = ''] = (await issueToken(account, AT)).split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
  const forged = base64url.encode(JSON.stringify({ ...claims, user: 1 }));
  const none = base64url.encode(JSON.stringify({ alg: 'none' }));
  const foreign = await new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode('another secret, as long as the one it is not'));
  for (const token of [`${header}.${forged}.${signature}`, `${none}.${payload}.`, foreign, '', 'a.b.c']) {
    await expect(readToken(token, AT)).rejects.toMatchObject({ status: 401 });
  }
});

test('a password fits only its own argon2id hash, and none fits a missing hash', async () => {
  const hash = await hashPassword('Retail-2026');
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await hashPassword('Retail-2026')).not.toBe(hash);
  expect(await isPassword('Retail-2026', hash)).toBe(true);
  expect(await isPassword('retail-2026', hash)).toBe(false);
  expect(await isPassword('', undefined)).toBe(false);
  expect(await isPassword('', '')).toBe(false);
});

const employee: Actor = {
  id: 7,
  type: 'employee',
  username: 'cashier',
  session: 3,
  rights: [],
  companyId: 2,
  familyId: 1,
  tenant: 'family-1',
  companies: [2],
  warehouses: 'all',
  cashDesks: [],
  canDiscount: false,
  isCompanyActive: true,
  deletedBranches: [],
};

test.each([
  ['company.product.brand.index', 'company.product.brand.index', true],
  ['company.product.brand.index', 'company.product.brand.store', false],
  ['company.*', 'company.product.brand.store', true],
  ['company.product.*', 'company.product.brand.store', true],
  ['company.product.*', 'company.products.brand.store', false],
  ['company.trade.*', 'company.product.brand.store', false],
  ['*', 'company.product.brand.store', false],
])('the right %s opens %s: %j', (held, asked, opens) => {
  expect(hasRight({ ...employee, rights: [held] }, asked)).toBe(opens);
});
