import { beforeAll, expect, test } from 'vitest';
import { newCompany, newRole, newUser } from '#tests/kit/family.ts';
import { call } from '#tests/kit/http.ts';

const COMPANIES = '/admin/company/company';
const ROLES = '/admin/user/role';
const STAFF = '/admin/company/user';
const USERS = '/admin/user/user';

let role_id: number;

beforeAll(async () => {
  role_id = await newRole({ type: 'admin', new_routes: ['admin.*'] });
});

/** The token of an administrator to whom only these companies are open. */
async function responsibleFor(responsibility_ids: number[]): Promise<string> {
  const limits = { are_all_companies_available: false, responsibility_ids };
  return (await newUser({ type: 'admin', role_id, ...limits })).token;
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
