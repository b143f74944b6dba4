import { expect, test } from 'vitest';
import { translate } from '#lib/values/message.ts';
import { newEmployee, newFamily, newFamilyWithBranch, newRole } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { errorsOf, errorWith, idsOf, make, NOT_FOUND, TAKEN } from '#tests/support/records.ts';
import { insertUser } from '#tests/support/users.ts';

const ROLES = '/company/user/role';
const NOT_HELD = translate('ru', { key: 'role.right_not_held' });

const cashier = {
  type: 'employee',
  name: 'Кассир',
  description: 'Продаёт',
  new_routes: ['company.trade.sale.*'],
  can_apply_sale_discount: true,
};

test('a role is made, found, changed, deleted and restored (Contract 7, "Role")', async () => {
  const [family, stranger] = await Promise.all([newFamily(), newFamily()]);
  const { director: token, companyId: company_id } = family;
  const id = await make(ROLES, token, cashier);
  const found = await call(`GET ${ROLES}?filter[id]=${id}&with[]=company`, { token });
  const own = { ...cashier, company_id, partner_id: null, company: { id: company_id }, is_deleted: false };
  expect(found.body).toMatchObject({ data: [own], meta: { total: 1 } });
  const json = { ...cashier, name: 'Продавец', new_routes: [] };
  const edited = await call(`PUT ${ROLES}/${id}`, { token, json });
  expect(edited).toMatchObject({ status: 200, body: { ...json, company_id } });
  for (const request of [`GET ${ROLES}/${id}`, `DELETE ${ROLES}/${id}`, `DELETE ${ROLES}/${id}/restore`]) {
    expect((await call(request, { token: stranger.director })).status).toBe(404);
  }
  expect((await call(`PUT ${ROLES}/${id}`, { token: stranger.director, json })).status).toBe(404);
  expect((await call(`DELETE ${ROLES}/${id}`, { token })).status).toBe(200);
  expect((await call(`GET ${ROLES}/${id}`, { token })).status).toBe(404);
  expect(await errorsOf(`POST ${ROLES}`, token, json)).toEqual({ name: TAKEN });
  expect((await call(`DELETE ${ROLES}/${id}/restore`, { token })).status).toBe(200);
  expect((await call(`DELETE ${ROLES}/${id}/restore`, { token })).status).toBe(404);
  expect(await idsOf(ROLES, token, 'filter[type]=employee')).toEqual([id]);
});

test('a role is of a type and a company of the family, with rights of companies, and keeps its type', async () => {
  const [family, stranger] = await Promise.all([newFamilyWithBranch(), newFamily()]);
  const { director: token, branch } = family;
  const wrong = { ...cashier, new_routes: ['company.*', 'admin.user.*'], company_id: stranger.companyId };
  expect(Object.keys(await errorsOf(`POST ${ROLES}`, token, { ...wrong, type: 'admin' }))).toEqual(['type']);
  expect(await errorsOf(`POST ${ROLES}`, token, wrong)).toMatchObject({
    'new_routes.1': expect.any(String),
    company_id: NOT_FOUND,
  });
  const id = await make(ROLES, token, { ...cashier, company_id: branch });
  const kept = await call(`PUT ${ROLES}/${id}`, { token, json: cashier });
  expect(kept.body).toMatchObject({ company_id: branch });
  expect(await errorsOf(`PUT ${ROLES}/${id}`, token, { ...cashier, type: 'director' })).toEqual({
    type: translate('ru', { key: 'role.type_fixed' }),
  });
  expect(await idsOf(ROLES, family.branchDirector)).toEqual([id]);
  const main = await make(ROLES, token, { ...cashier, name: 'Старший' });
  expect((await call(`GET ${ROLES}/${main}`, { token: family.branchDirector })).status).toBe(404);
});

test('nobody gives rights or discounts that they do not have (Contract 3)', async () => {
  const family = await newFamily();
  const token = await newEmployee(family, ['company.user.role.*', 'company.product.*']);
  const new_routes = ['company.product.brand.index', 'company.trade.sale.store', 'company.*'];
  expect(await errorsOf(`POST ${ROLES}`, token, { ...cashier, new_routes })).toEqual({
    'new_routes.1': NOT_HELD,
    'new_routes.2': NOT_HELD,
    can_apply_sale_discount: NOT_HELD,
  });
  const modest = { ...cashier, new_routes: ['company.product.*'], can_apply_sale_discount: false };
  await make(ROLES, token, modest);
});

test('who changes, deletes or restores a role has all its rights: 403 (Contract 3)', async () => {
  const family = await newFamily();
  const id = await make(ROLES, family.director, cashier);
  const token = await newEmployee(family, ['company.user.role.*']);
  const json = { ...cashier, new_routes: [], can_apply_sale_discount: false };
  expect(await call(`PUT ${ROLES}/${id}`, { token, json })).toMatchObject({
    status: 403,
    body: { message: translate('ru', { key: 'role.beyond_yours' }) },
  });
  expect((await call(`DELETE ${ROLES}/${id}`, { token })).status).toBe(403);
  expect((await call(`DELETE ${ROLES}/${id}`, { token: family.director })).status).toBe(200);
  expect((await call(`DELETE ${ROLES}/${id}/restore`, { token })).status).toBe(403);
});

test('a role that users have is not deleted; a deleted user lets it go (Contract 3)', async () => {
  const { director: token, companyId } = await newFamily();
  const role_id = await make(ROLES, token, cashier);
  const place = { company_id: companyId, family_id: companyId, are_all_companies_available: false };
  const { id } = await insertUser({ type: 'employee', role_id, ...place });
  const remove = () => call(`DELETE ${ROLES}/${role_id}`, { token });
  expect(await remove()).toMatchObject(errorWith('role.in_use'));
  expect((await call(`DELETE /company/user/user/${id}`, { token })).status).toBe(200);
  expect((await remove()).status).toBe(200);
  expect((await call(`DELETE /company/user/user/${id}/restore`, { token })).status).toBe(422);
  await call(`DELETE ${ROLES}/${role_id}/restore`, { token });
  expect((await call(`DELETE /company/user/user/${id}/restore`, { token })).status).toBe(200);
});

test('of a role’s deletion and a user who gets it at the same moment one is refused', async () => {
  const family = await newFamily();
  const { director: token, companyId } = family;
  const place = { company_id: companyId, family_id: companyId };
  const first = await newRole({ type: 'employee', new_routes: [], ...place });
  const { id } = await insertUser({ type: 'employee', role_id: first, ...place });
  const user = { type: 'employee', username: `user-${id}`, phone: '998901112233' };
  for (let round = 0; round < 4; round++) {
    const role_id = await make(ROLES, token, { ...cashier, name: `Роль ${round}` });
    const statuses = await Promise.all([
      call(`PUT /company/user/user/${id}`, { token, json: { ...user, role_id } }),
      call(`DELETE ${ROLES}/${role_id}`, { token }),
    ]);
    const [given, removed] = statuses.map(({ status }) => status);
    expect([given, removed]).toEqual(given === 200 ? [200, 400] : [422, 200]);
  }
});
