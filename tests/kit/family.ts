import { randomUUID } from 'node:crypto';
import { Account } from '#lib/access/account.ts';
import { issueToken } from '#lib/access/tokens.ts';
import { companies } from '#lib/people/company.ts';
import { roles } from '#lib/people/role.ts';
import { users } from '#lib/people/user.ts';
import { insertRecord } from '#lib/records/record.ts';
import { PLATFORM } from '#lib/table/keys.ts';
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
  const { id, token } = await newUser({ type: 'director', company_id: companyId, family_id: companyId }, at);
  return { companyId, director: token, directorId: id };
}

/** Makes a company, or a branch of one. */
export async function newCompany(parent_id: number | null, at = Date.now()): Promise<number> {
  const id = await nextId(companies.type, PLATFORM);
  await insertRecord(companies, PLATFORM, {
    id,
    parent_id,
    partner_id: null,
    district_id: null,
    name: `Company ${id}`,
    company_name: null,
    inn: null,
    mfo: null,
    address: null,
    phone: null,
    director_full_name: null,
    bank: null,
    payment_account: null,
    agreement_number: null,
    agreement_date: null,
    vat_percent: '12',
    bonus_entry_period: 0,
    cashbox_shift_settings: { is_enabled: false },
    primary_uuid: randomUUID(),
    sync_uuid: randomUUID(),
    partner_uuid: randomUUID(),
    created_at: at,
    updated_at: at,
    is_deleted: false,
  });
  return id;
}

/** Makes an employee whose role has exactly these rights, and answers with a token. */
export async function newEmployee(family: Family, rights: string[], at = Date.now()): Promise<string> {
  const role_id = await nextId(roles.type, PLATFORM);
  await insertRecord(roles, PLATFORM, {
    id: role_id,
    creator_id: null,
    company_id: family.companyId,
    family_id: family.companyId,
    partner_id: null,
    type: 'employee',
    name: `Role ${role_id}`,
    description: null,
    new_routes: rights,
    can_apply_sale_discount: false,
    created_at: at,
    updated_at: at,
    is_deleted: false,
  });
  const place = { company_id: family.companyId, family_id: family.companyId };
  return (await newUser({ type: 'employee', role_id, ...place }, at)).token;
}

/** Makes a super-administrator, and answers with a token. */
export async function newSuperAdministrator(at = Date.now()): Promise<string> {
  return (await newUser({ type: 'super_admin' }, at)).token;
}

type Given = Partial<Pick<Account, 'role_id' | 'company_id' | 'family_id' | 'partner_id'>> &
  Pick<Account, 'type'>;

async function newUser(given: Given, at: number): Promise<{ id: number; token: string }> {
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
    companies_responsibility: [],
    responsibility_ids: [],
    cashbox_ids: [],
    stock_ids: [],
    // Signs in with a token of the test's making; no password opens this account.
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
