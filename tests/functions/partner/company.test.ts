import { beforeAll, expect, test } from 'vitest';
import { newRole, newSuperAdministrator } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { idsOf, make } from '#tests/support/records.ts';
import { insertUser } from '#tests/support/users.ts';

const COMPANIES = '/partner/company';

let admin: string;

beforeAll(async () => {
  admin = await newSuperAdministrator();
});

async function newPartner(rights = ['partner.*']) {
  const partner_id = await make('/admin/partner/partner', admin, { name: 'Hamkor' });
  const role_id = await newRole({ type: 'partner', partner_id, new_routes: rights });
  const { token } = await insertUser({ type: 'partner', partner_id, role_id });
  return { partner_id, token };
}

const newCompany = (given: object) => make('/admin/company/company', admin, { name: 'Savdo', ...given });

test('a partner lists and gets only its own companies', async () => {
  const [one, other] = [await newPartner(), await newPartner()];
  const mine = await newCompany({ partner_id: one.partner_id, name: 'Namuna' });
  const theirs = await newCompany({ partner_id: other.partner_id });
  expect(await idsOf(COMPANIES, one.token)).toEqual([mine]);
  expect(await idsOf(COMPANIES, one.token, 'filter[name]=NAMUNA')).toEqual([mine]);
  expect(await call(`GET ${COMPANIES}/${mine}`, { token: one.token })).toMatchObject({
    status: 200,
    body: { id: mine, name: 'Namuna', partner_id: one.partner_id },
  });
  expect((await call(`GET ${COMPANIES}/${theirs}`, { token: one.token })).status).toBe(404);
});

test('a company comes and goes with its partner', async () => {
  const [one, other] = [await newPartner(), await newPartner()];
  const id = await newCompany({ partner_id: one.partner_id });
  const json = { name: 'Savdo', partner_id: other.partner_id };
  await call(`PUT /admin/company/company/${id}`, { token: admin, json });
  expect(await idsOf(COMPANIES, one.token)).toEqual([]);
  expect(await idsOf(COMPANIES, other.token)).toEqual([id]);
  await call(`DELETE /admin/company/company/${id}`, { token: admin });
  expect(await idsOf(COMPANIES, other.token)).toEqual([]);
});

test("with[]=parent shows a main company that is the partner's too, and no other's", async () => {
  const { partner_id, token } = await newPartner();
  const [mine, foreign] = [await newCompany({ partner_id }), await newCompany({})];
  const branch = await newCompany({ partner_id, parent_id: mine });
  const stray = await newCompany({ partner_id, parent_id: foreign });
  const found = await call(`GET ${COMPANIES}?sort[]=id&with[]=parent`, { token });
  expect(found.body).toMatchObject({
    data: [
      { id: mine, parent: null },
      { id: branch, parent: { id: mine } },
      { id: stray, parent_id: foreign, parent: null },
    ],
  });
});

test('a partner needs the right, and changes nothing', async () => {
  const { partner_id, token } = await newPartner(['partner.company.index']);
  const id = await newCompany({ partner_id });
  expect(await idsOf(COMPANIES, token)).toEqual([id]);
  expect((await call(`GET ${COMPANIES}/${id}`, { token })).status).toBe(403);
  expect((await call(`GET ${COMPANIES}`, { token: admin })).status).toBe(403);
  expect((await call(`GET /admin/partner/partner`, { token })).status).toBe(403);
  expect((await call(`DELETE ${COMPANIES}/${id}`, { token })).status).toBe(405);
});
