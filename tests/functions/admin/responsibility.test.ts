import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { newPartner, operator } from '#tests/support/external.ts';
import { newCompany, newFamily, newRole } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { insertUser } from '#tests/support/users.ts';

const COMPANIES = '/admin/company/company';
const ROLES = '/admin/user/role';
const STAFF = '/admin/company/user';
const USERS = '/admin/user/user';

const Made = z.object({ id: z.int() });
const Found = z.object({ data: z.array(z.object({ id: z.int() })) });

let role_id: number;
let operatorToken: string;

beforeAll(async () => {
  operatorToken = await operator();
  role_id = await newRole({ type: 'admin', new_routes: ['admin.*'] });
});

/** Creates the token of an administrator to whom only these companies are open. */
async function responsibleFor(responsibility_ids: number[]): Promise<string> {
  const limits = { are_all_companies_available: false, responsibility_ids };
  return (await insertUser({ type: 'admin', role_id, ...limits })).token;
}

function form(given: object) {
  return {
    role_id,
    username: `admin.${randomUUID()}`,
    phone: '998901112233',
    are_all_companies_available: false,
    new_password: 'Office-2026',
    new_password_confirmation: 'Office-2026',
    ...given,
  };
}

async function ids(path: string, token: string): Promise<number[]> {
  const { body } = await call(`GET ${path}`, { token });
  return Found.parse(body).data.map(({ id }) => id);
}

test.each([0, 100])(
  'an administrator with %i companies lists them, their people and roles',
  async (count) => {
    const mine = count === 0 ? [] : [await newCompany(null)];
    const others = Array.from({ length: count - mine.length }, (_, index) => 900_000 + index);
    const token = await responsibleFor([...others, ...mine]);
    const companies = await call(`GET ${COMPANIES}`, { token });
    expect(companies).toMatchObject({ status: 200, body: { data: mine.map((id) => ({ id })) } });
    for (const path of [STAFF, USERS, ROLES]) expect((await call(`GET ${path}`, { token })).status).toBe(200);
  },
);

test("users of other companies, and partners' users, are 404 and in no list; one's own are reached", async () => {
  const [mine, other] = [await newFamily(), await newFamily()];
  const token = await responsibleFor([mine.companyId]);
  const partner = await insertUser({ type: 'partner', partner_id: await newPartner() });
  for (const path of [USERS, STAFF]) {
    for (const id of [other.directorId, partner.id]) {
      expect((await call(`GET ${path}/${id}`, { token })).status).toBe(404);
      expect((await call(`DELETE ${path}/${id}`, { token })).status).toBe(404);
      expect(await ids(`${path}?filter[id]=${id}`, token)).toEqual([]);
    }
    expect((await call(`GET ${path}/${mine.directorId}`, { token })).status).toBe(200);
    expect(await ids(`${path}?filter[id]=${mine.directorId}`, token)).toEqual([mine.directorId]);
  }
  expect((await call(`PATCH ${USERS}/${other.directorId}/auth-as`, { token })).status).toBe(404);
  expect((await call(`PATCH ${USERS}/${mine.directorId}/auth-as`, { token })).status).toBe(200);
});

test('users of other companies are neither edited nor restored', async () => {
  const { companyId, directorId } = await newFamily();
  const token = await responsibleFor([await newCompany(null)]);
  const place = { company_id: companyId, family_id: companyId };
  const gone = await insertUser({ type: 'director', ...place, is_deleted: true });
  expect((await call(`PUT ${USERS}/${directorId}`, { token, json: form({}) })).status).toBe(404);
  const staff = form({ type: 'director', company_id: companyId, role_id: null });
  expect((await call(`PUT ${STAFF}/${directorId}`, { token, json: staff })).status).toBe(404);
  for (const path of [USERS, STAFF]) {
    expect((await call(`DELETE ${path}/${gone.id}/restore`, { token })).status).toBe(404);
  }
});

test('roles of other companies are 404 and in no list; those of the platform and of one’s own are reached', async () => {
  const [mine, other] = [await newCompany(null), await newCompany(null)];
  const token = await responsibleFor([mine]);
  const roleOf = (company: number, given: object = {}) =>
    newRole({ type: 'employee', new_routes: [], company_id: company, family_id: company, ...given });
  const [own, foreign, gone] = [
    await roleOf(mine),
    await roleOf(other),
    await roleOf(other, { is_deleted: true }),
  ];
  const json = { type: 'employee', name: 'Kassir', new_routes: [], company_id: mine };
  expect((await call(`GET ${ROLES}/${foreign}`, { token })).status).toBe(404);
  expect((await call(`PUT ${ROLES}/${foreign}`, { token, json })).status).toBe(404);
  expect((await call(`DELETE ${ROLES}/${foreign}`, { token })).status).toBe(404);
  expect((await call(`DELETE ${ROLES}/${gone}/restore`, { token })).status).toBe(404);
  const wanted = [own, foreign, role_id].map((id) => `filter[id][]=${id}`).join('&');
  expect(await ids(`${ROLES}?${wanted}&sort[]=id`, token)).toEqual([role_id, own]);
  expect((await call(`PUT ${ROLES}/${own}`, { token, json })).status).toBe(200);
  const forPartner = { ...json, type: 'partner', partner_id: await newPartner() };
  expect((await call(`POST ${ROLES}`, { token, json: forPartner })).body).toMatchObject({
    errors: { partner_id: ['Выбранная запись не найдена.'] },
  });
});

test('a company is restored only by administrators who are responsible for it', async () => {
  const [mine, other] = [await newCompany(null), await newCompany(null)];
  const token = await responsibleFor([mine]);
  expect((await call(`DELETE ${COMPANIES}/${mine}`, { token })).status).toBe(200);
  expect((await call(`DELETE ${COMPANIES}/${mine}/restore`, { token })).status).toBe(200);
  expect((await call(`DELETE ${COMPANIES}/${other}/restore`, { token })).status).toBe(404);
});

test('a company that an administrator of chosen companies makes becomes theirs (Contract 9.88)', async () => {
  const mine = await newCompany(null);
  const token = await responsibleFor([mine]);
  const made = await Promise.all(
    ['Bahor', 'Navbahor'].map((name) => call(`POST ${COMPANIES}`, { token, json: { name } })),
  );
  const others = made.map(({ body }) => Made.parse(body).id);
  const branch = await call(`POST ${COMPANIES}`, { token, json: { name: 'Filial', parent_id: others[0] } });
  const all = [mine, ...others, Made.parse(branch.body).id];
  expect((await ids(COMPANIES, token)).sort()).toEqual(all.sort());
  expect((await call(`GET ${COMPANIES}/${others[1]}`, { token })).status).toBe(200);
});

test('a partner is changed, deleted and restored by who has all its companies (Contract 9.88)', async () => {
  const partner = await newPartner();
  const [mine, other] = [1, 2].map(() =>
    call(`POST ${COMPANIES}`, { token: operatorToken, json: { name: 'Bahor', partner_id: partner } }),
  );
  const [own, second] = [Made.parse((await mine)?.body).id, Made.parse((await other)?.body).id];
  const [some, all] = [await responsibleFor([own]), await responsibleFor([own, second])];
  const path = `/admin/partner/partner/${partner}`;
  const statuses = async (token: string) => [
    (await call(`PUT ${path}`, { token, json: { name: 'Sherik' } })).status,
    (await call(`DELETE ${path}`, { token })).status,
    (await call(`DELETE ${path}/restore`, { token })).status,
  ];
  expect(await statuses(some)).toEqual([403, 403, 403]);
  // It has companies, so it is not deleted, and need not be restored.
  expect(await statuses(all)).toEqual([200, 400, 404]);
});

test('nobody opens companies that they cannot see to an administrator, or to themselves', async () => {
  const [mine, other] = [await newCompany(null), await newCompany(null)];
  const limits = { are_all_companies_available: false, responsibility_ids: [mine] };
  const { id, token } = await insertUser({ type: 'admin', role_id, ...limits });
  for (const request of [`POST ${USERS}`, `PUT ${USERS}/${id}`]) {
    const all = form({ are_all_companies_available: true });
    expect((await call(request, { token, json: all })).body).toMatchObject({
      errors: { are_all_companies_available: ['Нельзя дать право, которого нет у вас.'] },
    });
    const foreign = form({ companies_responsibility: [mine, other] });
    expect((await call(request, { token, json: foreign })).body).toMatchObject({
      errors: { 'companies_responsibility.1': ['Выбранная запись не найдена.'] },
    });
  }
  const same = form({ companies_responsibility: [mine] });
  expect((await call(`PUT ${USERS}/${id}`, { token, json: same })).status).toBe(200);
});
