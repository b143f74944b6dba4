import { randomUUID } from 'node:crypto';
import type * as z from 'zod';
import { hashPassword } from '#lib/access/passwords.ts';
import { type Company, companies } from '#lib/people/company.ts';
import { roles, type StoredRole } from '#lib/people/role.ts';
import { type StoredUser, users } from '#lib/people/user.ts';
import { findRecord, insertRecord } from '#lib/records/record.ts';
import { PLATFORM } from '#lib/table/keys.ts';
import { nextId } from '#lib/table/sequences.ts';
import type { Instant } from '#lib/values/time.ts';

export const DEMO_PASSWORD = 'Retail-2026';

export const DEMO_ACCOUNTS = [
  { username: 'admin', what: 'super-administrator of the platform' },
  { username: 'director', what: 'director of the main company' },
  { username: 'branch-director', what: 'director of its branch' },
  { username: 'cashier', what: 'employee of the main company, with a role' },
  { username: 'partner', what: "user of the company's partner" },
] as const;

const PARTNER_ID = 1;

/** Fills an empty table with a company, its branch and the demo accounts; leaves one that has them alone. */
export async function makeDemoData(at: Instant): Promise<void> {
  if (await findRecord(users, PLATFORM, 1)) return;
  const password_hash = await hashPassword(DEMO_PASSWORD);
  const main = await makeCompany('Namuna Savdo', null, at);
  const branch = await makeCompany('Namuna Savdo, Samarqand', main, at);
  const cashier = await makeRole(main, at);
  const common = { password_hash, at };
  await makeUser({ ...common, username: 'admin', type: 'super_admin' });
  await makeUser({ ...common, username: 'director', type: 'director', company_id: main, family_id: main });
  await makeUser({
    ...common,
    username: 'branch-director',
    type: 'director',
    company_id: branch,
    family_id: main,
  });
  await makeUser({
    ...common,
    username: 'cashier',
    type: 'employee',
    company_id: main,
    family_id: main,
    role_id: cashier,
  });
  await makeUser({ ...common, username: 'partner', type: 'partner', partner_id: PARTNER_ID });
}

async function makeCompany(name: string, parent_id: number | null, at: Instant): Promise<number> {
  const id = await nextId(companies.type, PLATFORM);
  const company: z.input<typeof Company> = {
    id,
    parent_id,
    partner_id: PARTNER_ID,
    district_id: null,
    name,
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
  };
  await insertRecord(companies, PLATFORM, company);
  return id;
}

async function makeRole(company_id: number, at: Instant): Promise<number> {
  const id = await nextId(roles.type, PLATFORM);
  const role: z.input<typeof StoredRole> = {
    id,
    creator_id: null,
    company_id,
    family_id: company_id,
    partner_id: null,
    type: 'employee',
    name: 'Kassir',
    description: null,
    new_routes: ['company.product.brand.index', 'company.product.brand.show'],
    can_apply_sale_discount: false,
    created_at: at,
    updated_at: at,
    is_deleted: false,
  };
  await insertRecord(roles, PLATFORM, role);
  return id;
}

type DemoUser = Pick<z.input<typeof StoredUser>, 'username' | 'type' | 'password_hash'> &
  Partial<Pick<z.input<typeof StoredUser>, 'company_id' | 'family_id' | 'partner_id' | 'role_id'>> & {
    at: Instant;
  };

async function makeUser({ at, ...given }: DemoUser): Promise<void> {
  const id = await nextId(users.type, PLATFORM);
  await insertRecord(users, PLATFORM, {
    id,
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
    cashbox_ids: [],
    stock_ids: [],
    session: 1,
    last_login_at: null,
    profile: {
      first_name: null,
      last_name: null,
      position: null,
      birth_date: null,
      gender: null,
      full_name: given.username,
    },
    created_at: at,
    updated_at: at,
    is_deleted: false,
    ...given,
  });
}
