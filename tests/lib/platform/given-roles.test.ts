import { randomUUID } from 'node:crypto';
import { beforeAll, expect, inject, test } from 'vitest';
import { createTable } from '#bin/local/database.ts';
import { roles } from '#lib/people/role/role.ts';
import { users } from '#lib/people/user/user.ts';
import { foundPartner } from '#lib/platform/founding.ts';
import { giveRoles } from '#lib/platform/given-roles.ts';
import { findRecord } from '#lib/records/record.ts';
import { PLATFORM } from '#lib/table/keys.ts';
import { insertUser, newFamily } from '#tests/kit/family.ts';

// All users of a table are looked at, so this has one of its own.
beforeAll(async () => {
  const table = `roles-${randomUUID()}`;
  await createTable(inject('settings')['AWS_ENDPOINT_URL_DYNAMODB'] ?? '', table);
  process.env['TABLE_NAME'] = table;
});

async function roleOf(id: number) {
  const user = await findRecord({ type: users, home: PLATFORM, id });
  const role = user?.role_id
    ? await findRecord({ type: roles, home: PLATFORM, id: user.role_id })
    : undefined;
  return { name: role?.name, new_routes: role?.new_routes };
}

test('a deployment gives their role to users who have none, any number of times', async () => {
  const { directorId, companyId } = await newFamily();
  const superior = await insertUser({ type: 'super_admin' });
  const { id: partner_id } = await foundPartner({ name: 'Hamkor', phone: '998901112233' }, Date.now());
  const partner = await insertUser({ type: 'partner', partner_id });
  const place = { company_id: companyId, family_id: companyId };
  const employee = await insertUser({ type: 'employee', role_id: null, ...place });
  expect(await giveRoles(Date.now())).toBe(3);
  expect(await roleOf(directorId)).toEqual({ name: 'Director', new_routes: ['company.*'] });
  expect(await roleOf(superior.id)).toEqual({ name: 'Super-administrator', new_routes: ['admin.*'] });
  expect(await roleOf(partner.id)).toEqual({ name: 'Partner', new_routes: ['partner.*'] });
  expect(await roleOf(employee.id)).toEqual({ name: undefined, new_routes: undefined });
  expect(await giveRoles(Date.now())).toBe(0);
});
