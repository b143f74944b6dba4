import * as z from 'zod';
import { maker } from '#bin/local/maker.ts';
import type { Staff } from '#lib/auth/actor.ts';
import { mainDeskId, mainDeskKey } from '#lib/cash/desk/main.ts';
import { roles, type StoredRole } from '#lib/people/role/record.ts';
import { setUpCompany } from '#lib/platform/provisioning.ts';
import { insertRecord } from '#lib/records/record-writes.ts';
import { familyTenant, PLATFORM } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import { nextId } from '#lib/table/sequences.ts';
import { companyInput, type Family, makeFamily } from './provisioning.ts';
import { insertUser, type TestUser } from './users.ts';

/** Creates a main company with a director. */
export function newFamily(at = Date.now()): Promise<Family> {
  return makeFamily(at, () => ({ made: {}, writes: [] }));
}

/** Creates the same as the platform provisions it, with copies of its templates. */
export async function newFoundedFamily(at = Date.now()): Promise<Family> {
  const companyId = await newCompany(null, at);
  const place = { company_id: companyId, family_id: companyId };
  const { id, token } = await insertUser({ type: 'director', ...place }, at);
  return { companyId, director: token, directorId: id };
}

/**
 * Creates a main company and a branch, each with a director; the branch's director reaches only the branch.
 */
export async function newFamilyWithBranch(at = Date.now()) {
  const family = await newFamily(at);
  const branch = await newCompany(family.companyId, at);
  const place = { company_id: branch, family_id: family.companyId, are_all_companies_available: false };
  const { token: branchDirector } = await insertUser({ type: 'director', ...place }, at);
  return { ...family, branch, branchDirector };
}

/** Returns a director as an actor of the domain, for functions without an endpoint. */
export function directorAs(id: number, familyId: number, companyId = familyId): Staff {
  return {
    id,
    companyId,
    familyId,
    type: 'director',
    username: '',
    session: 0,
    rights: [],
    tenant: familyTenant(familyId),
    companies: 'all',
    warehouses: 'all',
    cashDesks: 'all',
    canDiscount: true,
    isCompanyActive: true,
    deletedBranches: [],
  };
}

/** Creates a company, or a branch of one. */
export async function newCompany(parent_id: number | null, at = Date.now()): Promise<number> {
  return (await setUpCompany(maker, companyInput(parent_id), at)).id;
}

/** Reads the id of a main company's main desk. */
export async function mainDeskIn({ companyId }: Pick<Family, 'companyId'>): Promise<number> {
  return z.int().parse(mainDeskId(await getItem(mainDeskKey(familyTenant(companyId), companyId))));
}

/** Creates an employee whose role has exactly these rights, and returns a token. */
export async function newEmployee(
  { companyId }: Pick<Family, 'companyId'>,
  rights: string[],
  given: Partial<TestUser> = {},
  at = Date.now(),
): Promise<string> {
  const place = { company_id: companyId, family_id: companyId };
  const role_id = await newRole({ type: 'employee', new_routes: rights, ...place }, at);
  const own = { are_all_companies_available: false, ...place, ...given };
  return (await insertUser({ type: 'employee', role_id, ...own }, at)).token;
}

/** Creates a super-administrator, and returns a token. */
export async function newSuperAdministrator(at = Date.now()): Promise<string> {
  return (await insertUser({ type: 'super_admin' }, at)).token;
}

type Role = z.input<typeof StoredRole>;

/** Creates a role. */
export async function newRole(given: Partial<Role> & Pick<Role, 'type' | 'new_routes'>, at = Date.now()) {
  const id = await nextId(roles.type, PLATFORM);
  await insertRecord(roles, PLATFORM, {
    id,
    creator_id: null,
    company_id: null,
    family_id: null,
    partner_id: null,
    name: `Role ${id}`,
    description: null,
    can_apply_sale_discount: false,
    created_at: at,
    updated_at: at,
    is_deleted: false,
    ...given,
  });
  return id;
}
