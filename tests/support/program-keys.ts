import { expect } from 'vitest';
import * as z from 'zod';
import { users } from '#lib/people/user/user.ts';
import { update } from '#lib/table/change/write.ts';
import { familyTenant, PLATFORM, recordKey } from '#lib/table/keys.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import { newRole } from './family.ts';
import { call } from './http.ts';

export const PROGRAM_KEYS = '/company/user/key';

const Made = z.object({ id: z.int(), key: z.string() });

/** Creates a key of a role with these rights over HTTP, by a director of the family. */
export async function newProgramKey(
  { director, companyId }: { readonly director: string; readonly companyId: number },
  rights: readonly string[],
  given: object = {},
) {
  const place = { company_id: companyId, family_id: companyId };
  const role_id = await newRole({ type: 'employee', new_routes: [...rights], ...place });
  const json = { name: '1C', role_id, ...given };
  const { status, body } = await call(`POST ${PROGRAM_KEYS}`, { token: director, json });
  expect({ status, body }).toMatchObject({ status: 200 });
  return { ...Made.parse(body), form: json, role_id };
}

/** Sets the expiry of a key: a moment that has passed, or never. */
export async function setKeyEnd(
  { companyId }: { readonly companyId: number },
  id: number,
  expires_at: number | null,
): Promise<void> {
  const tenants = [PLATFORM, familyTenant(companyId)];
  await transact(tenants.map((tenant) => update(recordKey(users.type, tenant, id), { set: { expires_at } })));
}
