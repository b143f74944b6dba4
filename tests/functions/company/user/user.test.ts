import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { translate } from '#lib/values/message.ts';
import {
  newEmployee,
  newFamily,
  newFamilyWithBranch,
  newRole,
  newSuperAdministrator,
} from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import type { Family } from '#tests/support/provisioning.ts';
import { errorsOf, errorWith, idsOf, make, NOT_FOUND, REQUIRED } from '#tests/support/records.ts';
import { newShop } from '#tests/support/shop.ts';
import { insertUser } from '#tests/support/users.ts';

const USERS = '/company/user/user';
const PASSWORD = 'Shop-2026-key';
const NOT_HELD = translate('ru', { key: 'role.right_not_held' });

const passwords = { new_password: PASSWORD, new_password_confirmation: PASSWORD };

function person(given: object = {}) {
  return { type: 'employee', username: `worker.${randomUUID()}`, phone: '998901112233', ...given };
}

function roleOf({ companyId }: Pick<Family, 'companyId'>, new_routes: string[], given: object = {}) {
  return newRole({ type: 'employee', new_routes, company_id: companyId, family_id: companyId, ...given });
}

test('a colleague is made, signs in, is changed, deleted and restored (Contract 7, "Company users")', async () => {
  const family = await newFamily();
  const { director: token, companyId } = family;
  const role_id = await roleOf(family, ['company.product.brand.index']);
  const form = person({ role_id, profile: { first_name: 'Aziz', last_name: 'Karimov' } });
  const made = await call(`POST ${USERS}`, { token, json: { ...form, ...passwords } });
  const shown = { type: 'employee', company_id: companyId, role_id, cashbox_ids: [], stock_ids: [] };
  expect(made).toMatchObject({ status: 200, body: { ...shown, username: form.username } });
  expect(JSON.stringify(made.body)).not.toContain('password');
  const { id } = z.object({ id: z.int() }).parse(made.body);

  const credentials = { username: form.username, password: PASSWORD };
  const signedIn = await call('POST /common/auth/login', { json: credentials });
  const { token: own } = z.object({ token: z.string() }).parse(signedIn.body);
  expect((await call('GET /company/product/brand', { token: own })).status).toBe(200);

  const found = await call(`GET ${USERS}?filter[id]=${id}&with[]=profile&with[]=role`, { token });
  expect(found.body).toMatchObject({
    data: [{ ...shown, profile: { full_name: 'Karimov Aziz' }, role: { id: role_id } }],
    meta: { total: 1 },
  });
  const edited = await call(`PUT ${USERS}/${id}`, { token, json: { ...form, phone: '998907654321' } });
  expect(edited).toMatchObject({ status: 200, body: { ...shown, phone: '998907654321' } });

  expect((await call(`DELETE ${USERS}/${id}`, { token })).status).toBe(200);
  expect((await call('GET /company/product/brand', { token: own })).status).toBe(401);
  expect((await call(`GET ${USERS}/${id}`, { token })).status).toBe(404);
  expect(await idsOf(USERS, token, 'show[]=only-deleted')).toEqual([id]);
  expect((await call(`DELETE ${USERS}/${id}/restore`, { token })).status).toBe(200);
  expect((await call(`DELETE ${USERS}/${id}/restore`, { token })).status).toBe(404);
  expect((await call(`GET ${USERS}/${id}`, { token })).body).toMatchObject(shown);
});

test('colleagues of another family are not there, those of a branch are for the main company', async () => {
  const [family, stranger] = await Promise.all([newFamilyWithBranch(), newFamily()]);
  const { id } = await insertUser({
    type: 'director',
    company_id: family.branch,
    family_id: family.companyId,
  });
  for (const token of [family.director, family.branchDirector]) {
    expect((await call(`GET ${USERS}/${id}`, { token })).status).toBe(200);
  }
  const { directorId } = family;
  expect((await call(`GET ${USERS}/${directorId}`, { token: family.branchDirector })).status).toBe(404);
  expect(await idsOf(USERS, family.director)).toContain(directorId);
  expect(await idsOf(USERS, family.branchDirector)).not.toContain(directorId);
  for (const request of [`GET ${USERS}/${id}`, `DELETE ${USERS}/${id}`, `DELETE ${USERS}/${id}/restore`]) {
    expect((await call(request, { token: stranger.director })).status).toBe(404);
  }
  const own = { ...person({ type: 'director' }), ...passwords };
  expect(
    await errorsOf(`POST ${USERS}`, stranger.director, { ...own, company_id: family.companyId }),
  ).toEqual({ company_id: NOT_FOUND });
  const role_id = await roleOf(family, []);
  expect(await errorsOf(`POST ${USERS}`, stranger.director, { ...own, type: 'employee', role_id })).toEqual({
    role_id: NOT_FOUND,
  });
  expect(await errorsOf(`POST ${USERS}`, family.director, { ...person(), ...passwords })).toEqual({
    role_id: REQUIRED,
  });
});

test('desks and warehouses of a colleague are exact, shown, and kept by an edit without them (Contract 3)', async () => {
  const shop = await newShop();
  const { director: token, cashboxId, stockId } = shop;
  const role_id = await roleOf(shop, ['company.stock.stock.index', 'company.cashbox.cashbox.index']);
  const form = person({ role_id });
  const places = { cashbox_ids: [cashboxId], stock_ids: [stockId] };
  const id = await make(USERS, token, { ...form, ...passwords });
  const credentials = { username: form.username, password: PASSWORD };
  const signedIn = await call('POST /common/auth/login', { json: credentials });
  const { token: own } = z.object({ token: z.string() }).parse(signedIn.body);
  const open = async () => [
    await idsOf('/company/stock/stock', own),
    await idsOf('/company/cashbox/cashbox', own),
  ];
  expect(await open()).toEqual([[], []]);
  const given = await call(`PUT ${USERS}/${id}`, { token, json: { ...form, ...places } });
  expect(given).toMatchObject({ status: 200, body: places });
  expect(await open()).toEqual([[stockId], [cashboxId]]);
  const kept = await call(`PUT ${USERS}/${id}`, { token, json: { ...form, phone: '998907654321' } });
  expect(kept.body).toMatchObject(places);
  const emptied = await call(`PUT ${USERS}/${id}`, { token, json: { ...form, stock_ids: [] } });
  expect(emptied.body).toMatchObject({ ...places, stock_ids: [] });
});

test('an unknown desk or warehouse is 422 on its place in the list (Contract 3)', async () => {
  const [shop, stranger] = await Promise.all([newShop(), newShop()]);
  const { director: token, cashboxId, stockId, companyId } = shop;
  await make('/company/stock/stock', stranger.director, { name: 'Other' });
  const form = { ...person({ role_id: await roleOf(shop, []) }), ...passwords };
  const wrong = { cashbox_ids: [cashboxId, 999], stock_ids: [999, stockId] };
  const expected = { 'cashbox_ids.1': NOT_FOUND, 'stock_ids.0': NOT_FOUND };
  expect(await errorsOf(`POST ${USERS}`, token, { ...form, ...wrong })).toEqual(expected);
  const admin = await newSuperAdministrator();
  const byAdmin = { ...form, ...wrong, company_id: companyId };
  expect(await errorsOf('POST /admin/company/user', admin, byAdmin)).toEqual(expected);

  const rights = ['company.user.user.store'];
  const clerk = await newEmployee(shop, rights, { stock_ids: [stockId] });
  const over = {
    ...form,
    role_id: await roleOf(shop, rights),
    cashbox_ids: [cashboxId],
    stock_ids: [stockId],
  };
  expect(await errorsOf(`POST ${USERS}`, clerk, over)).toEqual({ 'cashbox_ids.0': NOT_FOUND });
});

test('nobody gives more than they have: rights, a director’s place, all companies, discounts (Contract 3)', async () => {
  const family = await newFamilyWithBranch();
  const rights = ['company.user.user.*', 'company.product.*'];
  const clerk = await newEmployee(family, rights);
  const form = {
    ...person({ role_id: await roleOf(family, ['company.product.brand.index']) }),
    ...passwords,
  };
  const give = (given: object) => errorsOf(`POST ${USERS}`, clerk, { ...form, ...given });
  const beyond = await roleOf(family, ['company.product.brand.index', 'company.trade.sale.store']);
  const discounting = await roleOf(family, [], { can_apply_sale_discount: true });
  expect(await give({ role_id: beyond })).toEqual({ role_id: NOT_HELD });
  expect(await give({ role_id: discounting })).toEqual({ role_id: NOT_HELD });
  expect(await give({ are_all_companies_available: true })).toEqual({
    are_all_companies_available: NOT_HELD,
  });
  expect(await give({ type: 'director', role_id: null })).toEqual({ type: NOT_HELD });
  expect(await give({ company_id: family.branch })).toEqual({ company_id: NOT_FOUND });
  expect((await call(`POST ${USERS}`, { token: clerk, json: form })).status).toBe(200);
  const branchDirector = { ...person({ type: 'director' }), ...passwords };
  const everywhere = { ...branchDirector, are_all_companies_available: true };
  expect(await errorsOf(`POST ${USERS}`, family.branchDirector, everywhere)).toEqual({
    are_all_companies_available: NOT_HELD,
  });
  const made = await call(`POST ${USERS}`, { token: family.branchDirector, json: branchDirector });
  expect(made).toMatchObject({ status: 200, body: { company_id: family.branch } });
});

test('who changes, deletes or restores an account has all its rights and companies: 403 (Contract 3)', async () => {
  const family = await newFamily();
  const place = { company_id: family.companyId, family_id: family.companyId };
  const role_id = await roleOf(family, ['company.trade.sale.store']);
  const own = { ...place, are_all_companies_available: false };
  const seller = await insertUser({ type: 'employee', role_id, ...own });
  const roving = await insertUser({
    type: 'employee',
    role_id: await roleOf(family, []),
    ...place,
    are_all_companies_available: true,
  });
  const clerk = await newEmployee(family, ['company.user.user.*']);
  for (const id of [seller.id, roving.id, family.directorId]) {
    const json = person({ type: 'director' });
    expect(await call(`PUT ${USERS}/${id}`, { token: clerk, json })).toMatchObject({
      status: 403,
      body: { message: translate('ru', { key: 'role.beyond_yours' }) },
    });
    expect((await call(`DELETE ${USERS}/${id}`, { token: clerk })).status).toBe(403);
  }
  const equal = await newEmployee(family, ['company.user.user.*', 'company.trade.sale.store']);
  expect((await call(`DELETE ${USERS}/${seller.id}`, { token: equal })).status).toBe(200);
  expect((await call(`DELETE ${USERS}/${seller.id}/restore`, { token: clerk })).status).toBe(403);
  expect((await call(`DELETE ${USERS}/${seller.id}/restore`, { token: equal })).status).toBe(200);
});

test('nobody deletes themselves', async () => {
  const { director: token, directorId } = await newFamily();
  expect(await call(`DELETE ${USERS}/${directorId}`, { token })).toMatchObject(errorWith('user.protected'));
});

test('drop-downs list colleagues by their names', async () => {
  const family = await newFamily();
  const { director: token } = family;
  const form = person({
    role_id: await roleOf(family, []),
    profile: { first_name: 'Aziz', last_name: 'Karimov' },
  });
  const id = await make(USERS, token, { ...form, ...passwords });
  const { body } = await call('GET /common/public/records/user?filter[value]=karim', { token });
  expect(body).toMatchObject({
    data: [{ id, value: 'Karimov Aziz', is_deleted: false }],
    meta: { total: 1 },
  });
});
