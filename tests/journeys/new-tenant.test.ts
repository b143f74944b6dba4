import { expect, test } from 'vitest';
import * as z from 'zod';
import { picture, workbook } from '#tests/support/files.ts';
import { call, formOf } from '#tests/support/http.ts';

const BRANDS = '/company/product/brand';
const PASSWORD = 'Shop-2026-key';

const Id = z.object({ id: z.int() });
const Token = z.object({ token: z.string() });

const unique = (name: string) => `${name}.${process.hrtime.bigint()}`;

async function signIn(username: string, password = PASSWORD): Promise<string> {
  const { body } = await call('POST /common/auth/login', { json: { username, password } });
  return Token.parse(body).token;
}

/** Makes a company with a branch, a role, a director and a cashier as an administrator, over HTTP alone. */
async function newTenant(admin: string, rights: string[]) {
  const post = async (path: string, json: object) => {
    const reply = await call(`POST ${path}`, { token: admin, json });
    expect(reply, path).toMatchObject({ status: 200 });
    return Id.parse(reply.body).id;
  };
  const company = await post('/admin/company/company', { name: unique('Savdo') });
  const branch = await post('/admin/company/company', { name: unique('Filial'), parent_id: company });
  const role = { type: 'employee', name: 'Kassir', new_routes: rights, company_id: company };
  const role_id = await post('/admin/user/role', role);
  const person = { phone: '998901112233', new_password: PASSWORD, new_password_confirmation: PASSWORD };
  const [director, cashier] = [unique('director'), unique('cashier')];
  await post('/admin/company/user', { ...person, type: 'director', company_id: company, username: director });
  await post('/admin/company/user', {
    ...person,
    type: 'employee',
    company_id: branch,
    role_id,
    username: cashier,
  });
  return { director: await signIn(director), cashier: await signIn(cashier), names: { director, cashier } };
}

test('a new tenant is made, its people sign in, and it is kept apart, over HTTP alone', async () => {
  const admin = await signIn('admin', 'Retail-2026');
  const tenant = await newTenant(admin, [`company.product.brand.index`, 'company.product.brand.show']);
  const other = await newTenant(admin, ['company.*']);

  const logo = await picture('png', 300, 200);
  const form = formOf({ name: 'Artel', image: logo, image_old_keys: '[]' });
  const made = await call(`POST ${BRANDS}`, { token: tenant.director, form });
  expect(made).toMatchObject({
    status: 200,
    body: { name: 'Artel', image: expect.stringMatching(/^http/) },
  });
  const brand = `${BRANDS}/${made.number('id')}`;
  const file = await workbook(['Brand', 'Beko', 'artel', 'Candy']);
  expect(
    (await call(`POST ${BRANDS}/import`, { token: tenant.director, form: formOf({ file }) })).status,
  ).toBe(200);

  // The cashier may look, but not touch.
  const list = await call(`GET ${BRANDS}?with[]=creator.profile&with[]=company`, { token: tenant.cashier });
  expect(list).toMatchObject({
    status: 200,
    body: {
      data: [{ name: 'Candy' }, { name: 'Beko' }, { name: 'Artel', creator: { profile: {} }, company: {} }],
    },
  });
  const refused = await call(`POST ${BRANDS}`, {
    token: tenant.cashier,
    json: { name: 'X', image_old_keys: '[]' },
  });
  expect(refused).toMatchObject({ status: 403, body: { message: 'Недостаточно прав для этой операции.' } });

  // Another tenant's director finds nothing here.
  expect((await call(`GET ${brand}`, { token: other.director })).status).toBe(404);
  const json = { name: 'Mine', image_old_keys: '[]' };
  expect((await call(`PUT ${brand}`, { token: other.director, json })).status).toBe(404);
  expect((await call(`DELETE ${brand}`, { token: other.director })).status).toBe(404);
  expect((await call(`DELETE ${brand}/restore`, { token: other.director })).status).toBe(404);
  expect(await call(`GET ${BRANDS}`, { token: other.director })).toMatchObject({ body: { data: [] } });

  // Signing out ends every token.
  const second = await signIn(tenant.names.director);
  expect((await call('POST /common/auth/logout', { token: tenant.director })).status).toBe(200);
  for (const token of [tenant.director, second]) {
    expect((await call(`GET ${BRANDS}`, { token })).status).toBe(401);
  }
  expect((await call(`GET ${BRANDS}`, { token: await signIn(tenant.names.director) })).status).toBe(200);
});
