import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { newCompany, newFamily, newRole } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { make } from '#tests/support/records.ts';
import { insertUser } from '#tests/support/users.ts';

const ROLES = '/company/user/role';
const DIRECTOR = {
  type: 'director',
  name: 'Director',
  new_routes: ['company.*'],
  can_apply_sale_discount: true,
};

const Roles = z.object({ data: z.array(z.looseObject({ id: z.int(), name: z.string() })) });

async function directorRolesOf(token: string) {
  const { body } = await call(`GET ${ROLES}?filter[type]=director&sort[]=id`, { token });
  return Roles.parse(body).data;
}

function form(given: object) {
  return {
    type: 'director',
    username: `director.${randomUUID()}`,
    phone: '998901112233',
    new_password: 'Office-2026',
    new_password_confirmation: 'Office-2026',
    ...given,
  };
}

test('a director without role_id has the family’s role Director, made with the company (Contract 3)', async () => {
  const { director: token, companyId } = await newFamily();
  const [role, ...others] = await directorRolesOf(token);
  expect(role).toMatchObject({ ...DIRECTOR, company_id: companyId });
  expect(others).toEqual([]);
  const made = await call('POST /company/user/user', { token, json: form({}) });
  expect(made.body).toMatchObject({ role_id: role?.id });
  const { id, username } = z.object({ id: z.int(), username: z.string() }).parse(made.body);
  const kept = form({ username, role_id: null, new_password: '', new_password_confirmation: '' });
  const edited = await call(`PUT /company/user/user/${id}`, { token, json: kept });
  expect(edited).toMatchObject({ status: 200, body: { role_id: role?.id } });
  const { body } = await call('POST /common/auth/login', { json: { username, password: 'Office-2026' } });
  const profile = await call('GET /common/user/profile', {
    token: z.object({ token: z.string() }).parse(body).token,
  });
  expect(profile.body).toMatchObject({ role_id: role?.id, role: DIRECTOR });
});

test('a branch has the role of its family', async () => {
  const { director: token, companyId } = await newFamily();
  const branch = await newCompany(companyId);
  const [role] = await directorRolesOf(token);
  const made = await call('POST /company/user/user', { token, json: form({ company_id: branch }) });
  expect(made.body).toMatchObject({ role_id: role?.id, company_id: branch });
});

test('neither a role that users have nor one that is given is deleted: 400', async () => {
  const { director: token } = await newFamily();
  const [role] = await directorRolesOf(token);
  expect((await call(`DELETE ${ROLES}/${role?.id}`, { token })).status).toBe(400);
  const own = await make(ROLES, token, { type: 'director', name: 'Boss', new_routes: ['company.*'] });
  const id = await make('/company/user/user', token, form({ role_id: own }));
  expect((await call(`DELETE ${ROLES}/${own}`, { token })).status).toBe(400);
  await call(`DELETE /company/user/user/${id}`, { token });
  expect((await call(`DELETE ${ROLES}/${own}`, { token })).status).toBe(200);
});

test('a user given the role of a director has its rights, whoever created it', async () => {
  const { director: token, companyId } = await newFamily();
  const weak = await newRole({
    type: 'employee',
    new_routes: ['company.user.role.*'],
    company_id: companyId,
    family_id: companyId,
  });
  const place = { company_id: companyId, family_id: companyId };
  const employee = await insertUser({ type: 'employee', role_id: weak, ...place });
  const [role] = await directorRolesOf(token);
  const json = { ...DIRECTOR, new_routes: [] };
  expect((await call(`PUT ${ROLES}/${role?.id}`, { token: employee.token, json })).status).toBe(403);
});
