import type * as z from 'zod';
import { maker } from '#bin/local/maker.ts';
import { Account } from '#lib/access/account.ts';
import type { Staff } from '#lib/access/actor.ts';
import { issueToken } from '#lib/access/tokens.ts';
import { CompanyInput } from '#lib/people/company/company.ts';
import { roles, type StoredRole } from '#lib/people/role/record.ts';
import { type StoredUser, users } from '#lib/people/user/user.ts';
import { setUpCompany } from '#lib/platform/founding.ts';
import { insertRecord } from '#lib/records/record-writes.ts';
import { familyHome, PLATFORM } from '#lib/table/keys.ts';
import { nextId } from '#lib/table/sequences.ts';

/** A company family of one test's own, so that tests run side by side in one table. */
export interface Family {
  readonly companyId: number;
  /** The token of the main company's director. */
  readonly director: string;
  readonly directorId: number;
}

/** Makes a main company with a director. */
export async function newFamily(at = Date.now()): Promise<Family> {
  const companyId = await newCompany(null, at);
  const { id, token } = await insertUser(
    { type: 'director', company_id: companyId, family_id: companyId },
    at,
  );
  return { companyId, director: token, directorId: id };
}

/** Makes a main company and a branch, each with a director; the branch's director reaches only the branch. */
export async function newFamilyWithBranch(at = Date.now()) {
  const family = await newFamily(at);
  const branch = await newCompany(family.companyId, at);
  const place = { company_id: branch, family_id: family.companyId, are_all_companies_available: false };
  const { token: branchDirector } = await insertUser({ type: 'director', ...place }, at);
  return { ...family, branch, branchDirector };
}

/** Makes a director as the domain takes one, for functions that have no address of their own. */
export function directorAs(id: number, familyId: number, companyId = familyId): Staff {
  return {
    id,
    companyId,
    familyId,
    type: 'director',
    username: '',
    session: 0,
    rights: [],
    home: familyHome(familyId),
    companies: 'all',
    warehouses: 'all',
    cashDesks: 'all',
    canDiscount: true,
    isCompanyActive: true,
    deletedBranches: [],
  };
}

/** Makes a company, or a branch of one. */
export async function newCompany(parent_id: number | null, at = Date.now()): Promise<number> {
  const input = CompanyInput.parse({ name: 'Savdo', parent_id, vat_percent: '12' });
  return (await setUpCompany(maker, input, at)).id;
}

/** Makes an employee whose role has exactly these rights, and answers with a token. */
export async function newEmployee(
  { companyId }: Pick<Family, 'companyId'>,
  rights: string[],
  given: Partial<User> = {},
  at = Date.now(),
): Promise<string> {
  const place = { company_id: companyId, family_id: companyId };
  const role_id = await newRole({ type: 'employee', new_routes: rights, ...place }, at);
  const own = { are_all_companies_available: false, ...place, ...given };
  return (await insertUser({ type: 'employee', role_id, ...own }, at)).token;
}

/** Makes a super-administrator, and answers with a token. */
export async function newSuperAdministrator(at = Date.now()): Promise<string> {
  return (await insertUser({ type: 'super_admin' }, at)).token;
}

type Role = z.input<typeof StoredRole>;

/** Makes a role. */
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

type User = z.input<typeof StoredUser>;

/** Makes a user who signs in with a token that the test makes: no password opens the account. */
export async function insertUser(given: Partial<User> & Pick<User, 'type'>, at = Date.now()) {
  const id = await nextId(users.type, PLATFORM);
  const user = await insertRecord(users, PLATFORM, {
    id,
    username: `user-${id}`,
    role_id: null,
    company_id: null,
    family_id: null,
    partner_id: null,
    pinfl: null,
    phone: null,
    telephony_sip_number: null,
    is_confirmed: true,
    are_all_companies_available: true,
    responsibility_ids: [],
    cashbox_ids: [],
    stock_ids: [],
    password_hash: '',
    session: 1,
    last_login_at: null,
    person: {
      first_name: 'Test',
      last_name: null,
      position: null,
      birth_date: null,
      gender: null,
      full_name: 'Test',
    },
    created_at: at,
    updated_at: at,
    is_deleted: false,
    ...given,
  });
  return { id, token: await issueToken(Account.parse(user), at) };
}
