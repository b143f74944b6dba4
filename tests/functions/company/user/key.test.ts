import { expect, test } from 'vitest';
import * as z from 'zod';
import { discoverRoutes, METHODS } from '#infra/routes.ts';
import { hashOf } from '#lib/auth/keys/secret.ts';
import { PLATFORM, recordKey } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import { translate } from '#lib/values/message.ts';
import { renderInstant } from '#lib/values/time.ts';
import {
  newCompany,
  newEmployee,
  newFamily,
  newFamilyWithBranch,
  newRole,
  newSuperAdministrator,
} from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { newProgramKey, PROGRAM_KEYS, setKeyEnd } from '#tests/support/program-keys.ts';
import { errorsOf, errorWith, idsOf, make, NOT_FOUND, REQUIRED } from '#tests/support/records.ts';
import { newShop } from '#tests/support/shop.ts';
import { insertUser } from '#tests/support/users.ts';

const BRAND = '/company/product/brand';
const BRANDS = ['company.product.brand.*'];
const HOUR = 3_600_000;

const Shown = z.object({ data: z.array(z.object({ last_used_at: z.string().nullable() })) });

test('a key is made, shown once, changed and ended for good (Part 4, 4.3)', async () => {
  const family = await newFamily();
  const { director: token, companyId, directorId } = family;
  const { id, key, role_id } = await newProgramKey(family, BRANDS);
  expect(key).toMatch(/^rk_[\w-]{43,}$/);
  const own = { id, name: '1C', role_id, company_id: companyId, creator_id: directorId, expires_at: null };
  const open = { are_all_companies_available: false, company_ids: [], cashbox_ids: [], stock_ids: [] };
  const one = await call(`GET ${PROGRAM_KEYS}/${id}?with[]=role&with[]=company`, { token });
  expect(one.body).toMatchObject({ ...own, ...open, role: { id: role_id }, company: { id: companyId } });
  const list = await call(`GET ${PROGRAM_KEYS}?filter[name]=1c&filter[role_id]=${role_id}`, { token });
  expect(list.body).toMatchObject({ data: [{ ...own, last_used_at: null }], meta: { total: 1 } });
  expect(JSON.stringify([one.body, list.body])).not.toMatch(/rk_|"hash"|"username"|password/);

  expect((await call(`GET ${BRAND}`, { token: key })).status).toBe(200);
  const json = { name: 'Bitrix', role_id, expires_at: '2099-01-31 10:00:00' };
  const edited = await call(`PUT ${PROGRAM_KEYS}/${id}`, { token, json });
  expect(edited).toMatchObject({ status: 200, body: { ...own, ...open, ...json } });
  expect((await call(`GET ${BRAND}`, { token: key })).status).toBe(200);

  expect((await call(`DELETE ${PROGRAM_KEYS}/${id}`, { token })).status).toBe(200);
  expect((await call(`GET ${BRAND}`, { token: key })).status).toBe(401);
  expect((await call(`GET ${PROGRAM_KEYS}/${id}`, { token })).status).toBe(404);
  expect((await call(`PUT ${PROGRAM_KEYS}/${id}`, { token, json })).status).toBe(404);
  expect(await idsOf(PROGRAM_KEYS, token)).toEqual([]);
  expect(await idsOf(PROGRAM_KEYS, token, 'show[]=only-deleted')).toEqual([id]);
});

test('GET /company/user/key/me tells a key itself, with company and role, without any right (Part 4, 4.3)', async () => {
  const family = await newFamily();
  const { id, key, role_id } = await newProgramKey(family, [], { cashbox_ids: [], name: 'Veb-do‘kon' });
  const own = await call(`GET ${PROGRAM_KEYS}/me`, { token: key });
  expect(own).toMatchObject({
    status: 200,
    body: {
      ...{ id, name: 'Veb-do‘kon', company_id: family.companyId, role_id, cashbox_ids: [] },
      company: { id: family.companyId },
      role: { id: role_id, new_routes: [] },
    },
  });
  expect(JSON.stringify(own.body)).not.toMatch(/rk_|"hash"/);
  expect((await call(`GET ${PROGRAM_KEYS}/${id}`, { token: key })).status).toBe(403);
  expect((await call(`GET ${PROGRAM_KEYS}/me`, { token: family.director })).status).toBe(403);
});

test('a key made without company_id writes in its maker’s company (Part 4, 4.3)', async () => {
  const family = await newFamilyWithBranch();
  const { branch, branchDirector: director } = family;
  const place = { company_id: branch, family_id: family.companyId };
  const role_id = await newRole({ type: 'employee', new_routes: BRANDS, ...place });
  const made = await call(`POST ${PROGRAM_KEYS}`, { token: director, json: { name: '1C', role_id } });
  expect(made).toMatchObject({ status: 200, body: { company_id: branch } });
});

test('the table holds a hash of a key, and not the key', async () => {
  const { id, key } = await newProgramKey(await newFamily(), BRANDS);
  const item = await getItem(recordKey('user', PLATFORM, id));
  expect(item).toMatchObject({ type: 'key', hash: hashOf(key.slice(-43)) });
  expect(JSON.stringify(item)).not.toContain(key.slice(-43));
});

test('a key that is wrong, of another id, or expired is 401; one that is still good is not', async () => {
  const family = await newFamily();
  const expires_at = renderInstant(Date.now() + HOUR);
  const [one, other] = [
    await newProgramKey(family, BRANDS, { expires_at }),
    await newProgramKey(family, BRANDS),
  ];
  const tries = [one.key.replace(`rk_${one.id}_`, `rk_${other.id}_`), `${one.key}x`, 'rk_', 'rk_1', 'rk_0_a'];
  for (const token of [...tries, one.key.slice(0, -1), `rk_${family.directorId}_${one.key.slice(-43)}`]) {
    expect((await call(`GET ${BRAND}`, { token })).status).toBe(401);
  }
  expect((await call(`GET ${BRAND}`, { token: one.key })).status).toBe(200);
});

test('a key is a user of its role: without a right it is 403, and so is every path but /company/', async () => {
  const family = await newFamily();
  const { key } = await newProgramKey(family, BRANDS);
  expect((await call('GET /company/product/category', { token: key })).status).toBe(403);
  for (const request of [
    'GET /common/user/profile',
    'GET /common/user/notification',
    'GET /common/public/records/product_brand',
    'POST /common/auth/logout',
    'POST /common/auth/pos-ping',
    'POST /common/public/create-record/product_brand',
    'GET /admin/company/company',
    'GET /partner/company',
  ]) {
    expect([request, (await call(request, { token: key })).status]).toEqual([request, 403]);
  }
  const ended = await newProgramKey(family, BRANDS);
  await call(`DELETE ${PROGRAM_KEYS}/${ended.id}`, { token: family.director });
  expect((await call('GET /common/user/profile', { token: ended.key })).status).toBe(401);
});

test('a key writes in its company and reaches the companies, desks and warehouses that it was given', async () => {
  const family = await newFamilyWithBranch();
  const { branch, companyId } = family;
  const rights = ['company.stock.stock.*', 'company.cashbox.*', 'company.client.*'];
  const warehouse = (company_id: number) =>
    make('/company/stock/stock', family.director, { name: `W${company_id}`, company_id });
  const [main, far] = [await warehouse(companyId), await warehouse(branch)];
  const open = async (given: object) => {
    const { key } = await newProgramKey(family, rights, given);
    return idsOf('/company/stock/stock', key);
  };
  expect(await open({})).toEqual([]);
  expect(await open({ stock_ids: [main, far] })).toEqual([main]);
  expect(await open({ stock_ids: [main, far], company_ids: [branch] })).toEqual([main, far]);
  expect(await open({ stock_ids: [far], are_all_companies_available: true })).toEqual([far]);
  const { key, id } = await newProgramKey(family, rights, { company_id: branch });
  const client = { full_name: 'Ali', main_phone: '998901234567' };
  const made = await call('POST /company/client/client', { token: key, json: client });
  expect(made.body).toMatchObject({ company_id: branch, creator_id: id });
  const rates = await call('GET /company/cashbox/currency-rate/settings', { token: key });
  expect(rates.status).toBe(200);
});

test('what a key makes names it, by its name, wherever who made it is shown', async () => {
  const family = await newFamily();
  const { key, id } = await newProgramKey(family, BRANDS, { name: 'Veb-do‘kon' });
  const brand = await make(BRAND, key, { name: 'Lays', image_old_keys: '[]' });
  const seen = await call(`GET ${BRAND}?filter[id]=${brand}&with[]=creator.profile`, {
    token: family.director,
  });
  const creator = { id, type: 'key', phone: null, profile: { first_name: null, full_name: 'Veb-do‘kon' } };
  expect(seen.body).toMatchObject({ data: [{ creator_id: id, creator }] });
  await call(`DELETE ${PROGRAM_KEYS}/${id}`, { token: family.director });
  const later = await call(`GET ${BRAND}?filter[id]=${brand}&with[]=creator.profile`, {
    token: family.director,
  });
  expect(later.body).toMatchObject({ data: [{ creator }] });
});

test('a key is in no list of users, and no user is a key', async () => {
  const family = await newFamily();
  const { director: token, directorId } = family;
  const { id } = await newProgramKey(family, BRANDS);
  expect(await idsOf('/company/user/user', token)).toEqual([directorId]);
  const administrator = await newSuperAdministrator();
  const query = `filter[id][]=${id}&filter[id][]=${directorId}`;
  expect(await idsOf('/admin/user/user', administrator, query)).toEqual([directorId]);
  expect(await idsOf('/admin/company/user', administrator, query)).toEqual([directorId]);
  const users = await call(`GET /common/public/records/user?filter[id]=${id}`, { token });
  expect(users.body).toMatchObject({ data: [] });
  for (const request of [
    `GET /company/user/user/${id}`,
    `DELETE /company/user/user/${id}`,
    `GET ${PROGRAM_KEYS}/${directorId}`,
    `DELETE ${PROGRAM_KEYS}/${directorId}`,
  ]) {
    expect([request, (await call(request, { token })).status]).toEqual([request, 404]);
  }
  for (const request of [`GET /admin/user/user/${id}`, `PATCH /admin/user/user/${id}/auth-as`]) {
    expect([request, (await call(request, { token: administrator })).status]).toEqual([request, 404]);
  }
});

test('the last use of a key is recorded to the hour, by calls that read too', async () => {
  const family = await newFamily();
  const { key, id } = await newProgramKey(family, BRANDS);
  const used = async () => {
    const { body } = await call(`GET ${PROGRAM_KEYS}?filter[id]=${id}`, { token: family.director });
    return Shown.parse(body).data[0]?.last_used_at;
  };
  expect(await used()).toBeNull();
  await call(`GET ${BRAND}`, { token: key });
  const first = await used();
  expect(first).toMatch(/^\d{4}-/);
  await call(`GET ${BRAND}`, { token: key });
  expect(await used()).toBe(first);
});

test('who makes, changes or ends a key has all that it has and gets: 403', async () => {
  const family = await newFamilyWithBranch();
  const { director, companyId, branch } = family;
  const place = { company_id: companyId, family_id: companyId };
  const token = await newEmployee(family, ['company.user.key.*', ...BRANDS]);
  const [narrow, wide] = await Promise.all(
    [BRANDS, ['company.*']].map((new_routes) => newRole({ type: 'employee', new_routes, ...place })),
  );
  const discount = await newRole({
    type: 'employee',
    new_routes: [],
    can_apply_sale_discount: true,
    ...place,
  });
  const stock = await make('/company/stock/stock', director, { name: 'Ombor' });
  const status = async (json: object) =>
    (await call(`POST ${PROGRAM_KEYS}`, { token, json: { name: 'x', role_id: narrow, ...json } })).status;
  expect(await status({})).toBe(200);
  expect(await status({ role_id: wide })).toBe(403);
  expect(await status({ role_id: discount })).toBe(403);
  expect(await status({ company_id: branch })).toBe(403);
  expect(await status({ company_ids: [branch] })).toBe(403);
  expect(await status({ are_all_companies_available: true })).toBe(403);
  expect(await status({ stock_ids: [stock] })).toBe(403);

  const theirs = await newProgramKey(family, ['company.*']);
  const far = await newProgramKey(family, BRANDS, { company_ids: [branch] });
  for (const { id } of [theirs, far]) {
    const json = { name: 'x', role_id: narrow };
    expect((await call(`PUT ${PROGRAM_KEYS}/${id}`, { token, json })).status).toBe(403);
    expect((await call(`DELETE ${PROGRAM_KEYS}/${id}`, { token })).status).toBe(403);
  }
  const own = await make(PROGRAM_KEYS, token, { name: 'x', role_id: narrow });
  const raised = await call(`PUT ${PROGRAM_KEYS}/${own}`, { token, json: { name: 'x', role_id: wide } });
  expect(raised).toMatchObject({ status: 403, body: { code: 'role.right_not_held' } });
  const director_role = await newRole({ type: 'director', new_routes: ['company.*'], ...place });
  const whole = { name: 'x', role_id: director_role, are_all_companies_available: true, stock_ids: [stock] };
  expect((await call(`POST ${PROGRAM_KEYS}`, { token: director, json: whole })).status).toBe(200);
});

test('a form that names what the family has not, or a term that is over, is 422', async () => {
  const [family, stranger] = await Promise.all([newFamily(), newFamily()]);
  const { director: token, companyId } = family;
  const theirs = await newRole({
    type: 'employee',
    new_routes: [],
    company_id: stranger.companyId,
    family_id: stranger.companyId,
  });
  const wrong = { company_ids: [companyId, stranger.companyId], cashbox_ids: [999], stock_ids: [999] };
  const form = { name: 'x', role_id: theirs, expires_at: '2020-01-01 00:00:00', ...wrong };
  expect(await errorsOf(`POST ${PROGRAM_KEYS}`, token, form)).toEqual({
    role_id: NOT_FOUND,
    'company_ids.1': NOT_FOUND,
    'cashbox_ids.0': NOT_FOUND,
    'stock_ids.0': NOT_FOUND,
    expires_at: translate('ru', { key: 'key.expired_already' }),
  });
  expect(await errorsOf(`POST ${PROGRAM_KEYS}`, token, { expires_at: '2099-02-30 10:00:00' })).toEqual({
    name: REQUIRED,
    role_id: REQUIRED,
    expires_at: translate('ru', { key: 'validation.not_timestamp' }),
  });
});

test('an administrator who acts as another makes, changes and ends no key: 403', async () => {
  const family = await newFamily();
  const { id, form } = await newProgramKey(family, BRANDS);
  const administrator = await newSuperAdministrator();
  const acting = await call(`PATCH /admin/user/user/${family.directorId}/auth-as`, { token: administrator });
  const { token } = z.object({ token: z.string() }).parse(acting.body);
  for (const [request, json] of [
    [`POST ${PROGRAM_KEYS}`, form],
    [`PUT ${PROGRAM_KEYS}/${id}`, form],
    [`DELETE ${PROGRAM_KEYS}/${id}`, undefined],
  ] as const) {
    const refused = await call(request, { token, ...(json && { json }) });
    expect(refused).toMatchObject({ status: 403, body: { code: 'auth.acting_as_another' } });
  }
  expect(await idsOf(PROGRAM_KEYS, token)).toEqual([id]);
});

test('a key outlives who made it', async () => {
  const family = await newFamily();
  const { id, token } = await insertUser({
    type: 'director',
    company_id: family.companyId,
    family_id: family.companyId,
  });
  const { key } = await newProgramKey({ ...family, director: token }, BRANDS);
  await call(`DELETE /company/user/user/${id}`, { token: family.director });
  expect((await call(`GET ${BRAND}`, { token: key })).status).toBe(200);
});

test('a repeated Idempotency-Key makes another key: the answer is not kept', async () => {
  const family = await newFamily();
  const { form } = await newProgramKey(family, BRANDS);
  const sent = { token: family.director, json: form, headers: { 'Idempotency-Key': 'one' } };
  const [first, second] = [
    await call(`POST ${PROGRAM_KEYS}`, sent),
    await call(`POST ${PROGRAM_KEYS}`, sent),
  ];
  expect([first.status, second.status]).toEqual([200, 200]);
  expect(z.object({ id: z.int() }).parse(first.body).id).not.toBe(
    z.object({ id: z.int() }).parse(second.body).id,
  );
});

test('a role that a key has is not deleted, and a key of another family is not there', async () => {
  const [family, stranger] = await Promise.all([newFamily(), newFamily()]);
  const { id, role_id, form } = await newProgramKey(family, BRANDS);
  const removed = await call(`DELETE /company/user/role/${role_id}`, { token: family.director });
  expect(removed).toMatchObject(errorWith('role.in_use'));
  for (const request of [`GET ${PROGRAM_KEYS}/${id}`, `DELETE ${PROGRAM_KEYS}/${id}`]) {
    expect((await call(request, { token: stranger.director })).status).toBe(404);
  }
  const put = await call(`PUT ${PROGRAM_KEYS}/${id}`, { token: stranger.director, json: form });
  expect(put.status).toBe(404);
});

test('keys of a branch are for those to whom it is open', async () => {
  const family = await newFamilyWithBranch();
  const { id } = await newProgramKey(family, BRANDS, { company_id: family.branch });
  const main = await newProgramKey(family, BRANDS);
  expect(await idsOf(PROGRAM_KEYS, family.branchDirector)).toEqual([id]);
  expect(await idsOf(PROGRAM_KEYS, family.director)).toEqual([id, main.id]);
  expect((await call(`GET ${PROGRAM_KEYS}/${main.id}`, { token: family.branchDirector })).status).toBe(404);
});

test('a family has at most fifty keys, even if two are made at once; one that ends makes room', async () => {
  const family = await newFamily();
  const { id, form } = await newProgramKey(family, BRANDS);
  const add = () => call(`POST ${PROGRAM_KEYS}`, { token: family.director, json: form });
  for (let made = 1; made < 49; made += 1) expect((await add()).status).toBe(200);
  const both = await Promise.all([add(), add()]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
  expect(await add()).toMatchObject(errorWith('key.too_many', { max: 50 }));
  await call(`DELETE ${PROGRAM_KEYS}/${id}`, { token: family.director });
  expect((await add()).status).toBe(200);
  expect((await add()).status).toBe(400);
});

test('a key sells in a shop whose desk and warehouse are open to it, and repeats a sale by Idempotency-Key', async () => {
  const shop = await newShop();
  const { key } = await newProgramKey(shop, ['company.trade.sale.*'], {
    cashbox_ids: [shop.cashboxId],
    stock_ids: [shop.stockId],
  });
  expect((await call('GET /company/trade/sale', { token: key })).status).toBe(200);
  const other = await newCompany(shop.companyId);
  expect(await idsOf('/company/trade/sale', key, `filter[company_id]=${other}`)).toEqual([]);
});

test('of its role a key has nothing under company.user., but that it may copy users (Part 4, 4.3)', async () => {
  const family = await newFamily();
  const { key } = await newProgramKey(family, ['company.*'], { are_all_companies_available: true });
  const narrow = await newProgramKey(family, ['company.user.user.index']);
  const under = (await discoverRoutes()).flatMap(({ path, endpoints }) =>
    METHODS.filter((method) => endpoints[method]?.metadata.right.startsWith('company.user.')).map(
      (method) => `${method} ${path.replaceAll(/\{\w+\}/g, '1')}`,
    ),
  );
  expect(under.length).toBeGreaterThan(10);
  for (const request of under) {
    const json = request.startsWith('GET') ? {} : { json: {} };
    expect([request, (await call(request, { token: key, ...json })).status]).toEqual([request, 403]);
  }
  for (const token of [key, narrow.key]) {
    const copy = await call('GET /company/sync?types[]=user.user', { token });
    expect(copy).toMatchObject({ status: 200 });
    expect(copy.body).toMatchObject({ data: expect.arrayContaining([expect.anything()]) });
  }
  expect((await call(`GET ${BRAND}`, { token: key })).status).toBe(200);
  const brands = await newProgramKey(family, BRANDS);
  expect((await call('GET /company/sync?types[]=user.user', { token: brands.key })).status).toBe(403);
});

test('deleting a user names the keys of their making that still work (Contract 9.140)', async () => {
  const family = await newFamily();
  const place = { company_id: family.companyId, family_id: family.companyId };
  const { id, token } = await insertUser({ type: 'director', ...place });
  const theirs = { ...family, director: token };
  const works = await newProgramKey(theirs, BRANDS, { name: 'Works' });
  const later = await newProgramKey(theirs, BRANDS, { name: 'Later', expires_at: '2099-01-31 10:00:00' });
  const ended = await newProgramKey(theirs, BRANDS, { name: 'Ended' });
  const expired = await newProgramKey(theirs, BRANDS, { name: 'Expired' });
  await setKeyEnd(family, expired.id, Date.now() - HOUR);
  await newProgramKey(family, BRANDS, { name: 'Of another' });
  await call(`DELETE ${PROGRAM_KEYS}/${ended.id}`, { token });
  const answer = await call(`DELETE /company/user/user/${id}`, { token: family.director });
  expect(answer).toMatchObject({ status: 200 });
  expect(answer.body).toEqual({
    message: 'Успешно',
    keys: [
      { id: works.id, name: 'Works' },
      { id: later.id, name: 'Later' },
    ],
  });
  const { id: other } = await insertUser({ type: 'director', ...place });
  const byAdministrator = await call(`DELETE /admin/company/user/${other}`, {
    token: await newSuperAdministrator(),
  });
  expect(byAdministrator.body).toEqual({ message: 'Успешно', keys: [] });
});
