import { expect, test } from 'vitest';
import * as z from 'zod';
import { identify } from '#lib/auth/identify.ts';
import { readToken } from '#lib/auth/tokens.ts';
import { POSTING } from '#lib/cash/posting/record.ts';
import { familyTenant, partition } from '#lib/table/keys.ts';
import { wholePartition } from '#lib/table/read/walk.ts';
import { newFamily, newRole, newSuperAdministrator } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { make } from '#tests/support/records.ts';
import { REPRICINGS, repricingRow } from '#tests/support/repricing.ts';
import { newShop } from '#tests/support/shop.ts';
import { newCards, receiveGoods, stockLevelsOf } from '#tests/support/stock.ts';
import { insertUser } from '#tests/support/users.ts';

const USERS = '/admin/user/user';
const PROFILE = '/common/user/profile';
const HOUR = 3_600_000;

const Made = z.object({ id: z.int() });
const Given = z.object({ token: z.string() });

const profile = async (token: string) => (await call(`GET ${PROFILE}`, { token })).status;

/** Creates an administrator with a role of their own who acts as a director. */
async function newImpersonation(given: Partial<Parameters<typeof insertUser>[0]> = {}) {
  const role_id = await newRole({ type: 'admin', new_routes: ['admin.*'] });
  const administrator = await insertUser({ type: 'admin', role_id, ...given });
  const family = await newFamily();
  return { ...family, role_id, administrator, token: await actAs(administrator.token, family.directorId) };
}

async function actAs(token: string, id: number): Promise<string> {
  const { status, body } = await call(`PATCH ${USERS}/${id}/auth-as`, { token });
  expect(status).toBe(200);
  return Given.parse(body).token;
}

test('acting as another lasts an hour, which no renewal prolongs', async () => {
  const { token } = await newImpersonation();
  const renewed = await call(`PUT ${PROFILE}`, { token, json: { phone: '998901112233' } });
  for (const each of [token, Given.parse(renewed.body).token]) {
    expect(await profile(each)).toBe(200);
    await expect(readToken(each, Date.now() + HOUR - 60_000)).resolves.toMatchObject({});
    await expect(readToken(each, Date.now() + HOUR + 1000)).rejects.toMatchObject({ status: 401 });
  }
});

test('it ends with the session of the administrator', async () => {
  const { administrator, token } = await newImpersonation();
  await call('POST /common/auth/logout', { token: administrator.token });
  expect(await profile(token)).toBe(401);
  expect((await call('GET /company/product/brand', { token })).status).toBe(401);
});

test('logging out of it ends that token alone, and what it was renewed to (Contract 9.86)', async () => {
  const { administrator, directorId, director, token } = await newImpersonation();
  const renewed = await call(`PUT ${PROFILE}`, { token, json: { phone: '998901112233' } });
  const other = await actAs(administrator.token, directorId);
  expect((await call('POST /common/auth/logout', { token })).status).toBe(200);
  expect(await profile(token)).toBe(401);
  expect(await profile(Given.parse(renewed.body).token)).toBe(401);
  expect((await call('POST /common/auth/logout', { token })).status).toBe(401);
  expect(await Promise.all([director, administrator.token, other].map(profile))).toEqual([200, 200, 200]);
});

test('it ends with the account of the administrator', async () => {
  const { administrator, token } = await newImpersonation();
  const superior = await newSuperAdministrator();
  expect((await call(`DELETE ${USERS}/${administrator.id}`, { token: superior })).status).toBe(200);
  expect(await profile(token)).toBe(401);
});

test('it ends with the right of the administrator, by another role or by a change of theirs', async () => {
  const superior = await newSuperAdministrator();
  const weak = await newRole({ type: 'admin', new_routes: ['admin.user.user.index'] });
  const edit = { username: `moved.${Date.now()}`, phone: '998901112233', are_all_companies_available: true };
  const moved = await newImpersonation();
  const json = { ...edit, role_id: weak };
  await call(`PUT ${USERS}/${moved.administrator.id}`, { token: superior, json });
  expect(await profile(moved.token)).toBe(401);
  const emptied = await newImpersonation();
  const role = { type: 'admin', name: `Empty ${emptied.role_id}`, new_routes: [] };
  await call(`PUT /admin/user/role/${emptied.role_id}`, { token: superior, json: role });
  expect(await profile(emptied.token)).toBe(401);
});

test('it ends once the company is no longer open to the administrator', async () => {
  const superior = await newSuperAdministrator();
  const { administrator, token, role_id } = await newImpersonation();
  const json = {
    role_id,
    username: `limited.${Date.now()}`,
    phone: '998901112233',
    are_all_companies_available: false,
    companies_responsibility: [],
  };
  expect((await call(`PUT ${USERS}/${administrator.id}`, { token: superior, json })).status).toBe(200);
  expect(await profile(token)).toBe(401);
});

test('who acts as another sets no password', async () => {
  const { token, companyId, directorId, director } = await newImpersonation();
  const secret = { new_password: 'Other-2026', new_password_confirmation: 'Other-2026' };
  const phone = '998901112233';
  const own = await call(`PUT ${PROFILE}`, { token, json: { phone, ...secret } });
  const text = 'Действуя от имени пользователя, пароль задать нельзя.';
  expect(own).toMatchObject({ status: 403, body: { message: text } });
  const person = { type: 'director', username: `other.${Date.now()}`, phone, company_id: companyId };
  const requests = ['POST /company/user/user', `PUT /company/user/user/${directorId}`];
  for (const request of requests) {
    expect((await call(request, { token, json: { ...person, ...secret } })).status).toBe(403);
  }
  expect((await call(`PUT ${PROFILE}`, { token, json: { phone } })).status).toBe(200);
  expect(await profile(director)).toBe(200);
});

test('the administrator behind a token is known to the call, by one read', async () => {
  const { token, administrator, directorId } = await newImpersonation();
  const actor = await identify(await readToken(token, Date.now()), Date.now());
  expect(actor).toMatchObject({ id: directorId, impersonator: { user: administrator.id } });
});

test('movements, postings and documents name the administrator beside their creator', async () => {
  const shop = await newShop();
  const administrator = await insertUser({
    type: 'admin',
    role_id: await newRole({ type: 'admin', new_routes: ['admin.*'] }),
  });
  const token = await actAs(administrator.token, shop.directorId);
  const [product_id = 0] = await newCards(shop, 1);
  const person = { creator_id: shop.directorId, impersonator_id: null };
  const acted = { creator_id: shop.directorId, impersonator_id: administrator.id };
  const receipt = await receiveGoods(token, {
    stock_id: shop.stockId,
    products: [{ product_id, quantity: 10, cost: 1000 }],
  });
  const sale = {
    cashbox_id: shop.cashboxId,
    stock_id: shop.stockId,
    currency: 'uzs',
    products: [{ product_id, sold_quantity: 1 }],
    transactions: [{ payment_type: 'cash', amount: 5000 }],
  };
  // The response equals the document as read later by any caller.
  const sold = await call('POST /company/trade/sale', { token, json: sale });
  expect(sold).toMatchObject({ status: 200, body: acted });
  const inPerson = await call('POST /company/trade/sale', { token: shop.director, json: sale });
  expect(inPerson).toMatchObject({ status: 200, body: person });
  for (const reader of [token, shop.director]) {
    const sales = await call('GET /company/trade/sale?sort[]=id', { token: reader });
    expect(sales.body).toMatchObject({ data: [acted, person] });
    const receipts = await call(`GET /company/trade/purchase/${receipt}`, { token: reader });
    expect(receipts.body).toMatchObject(acted);
    const [{ id }] = z.tuple([Made]).parse(await stockLevelsOf(reader));
    const movements = await call(`GET /company/stock/product/${id}/movements`, { token: reader });
    expect(movements.body).toMatchObject({ data: [person, acted, acted] });
  }
  const postings = await wholePartition(partition(POSTING, familyTenant(shop.companyId)));
  expect(postings).toMatchObject([acted, person]);
});

test('a repricing and its lines name the administrator behind it, to any reader', async () => {
  const shop = await newShop();
  const role_id = await newRole({ type: 'admin', new_routes: ['admin.*'] });
  const administrator = await insertUser({ type: 'admin', role_id });
  const token = await actAs(administrator.token, shop.directorId);
  const [product_id = 0] = await newCards(shop, 1);
  const json = { company_id: shop.companyId, products: [repricingRow(product_id)] };
  const [inPerson, acted] = [
    await make(REPRICINGS, shop.director, json),
    await make(REPRICINGS, token, json),
  ];
  for (const reader of [token, shop.director]) {
    for (const [id, impersonator_id] of [
      [inPerson, null],
      [acted, administrator.id],
    ]) {
      const { body } = await call(`GET ${REPRICINGS}/${id}`, { token: reader });
      expect(body).toMatchObject({ impersonator_id, products: [{ impersonator_id }] });
    }
  }
});
