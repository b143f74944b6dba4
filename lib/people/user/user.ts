import * as z from 'zod';
import { accountSecrets, UserType } from '#lib/auth/account.ts';
import { CompanySummary } from '#lib/people/company/known.ts';
import { Partner, partners } from '#lib/people/company/partner.ts';
import { Company } from '#lib/people/company/record.ts';
import { Role, roles } from '#lib/people/role/record.ts';
import type { RecordType } from '#lib/records/record.ts';
import { referenceTo } from '#lib/records/references.ts';
import { recordFields } from '#lib/records/stored.ts';
import { familyTenant, PLATFORM, partnerTenant } from '#lib/table/keys.ts';
import { normalizeText } from '#lib/values/text.ts';
import { Timestamp } from '#lib/values/time.ts';
import { nameOfUser, Profile } from './colleague.ts';

/** A user in responses, with fields that `with[]` may add. Part 1, "User". */
export const User = z.object({
  ...recordFields,
  type: UserType,
  role_id: z.int().nullable(),
  company_id: z.int().nullable(),
  partner_id: z.int().nullable(),
  username: z.string(),
  pinfl: z.string().nullable(),
  phone: z.string().nullable(),
  telephony_sip_number: z.string().nullable(),
  is_confirmed: z.boolean(),
  are_all_companies_available: z.boolean(),
  last_login_at: Timestamp.nullable(),
  cashbox_ids: z.array(z.int()),
  stock_ids: z.array(z.int()),
  profile: Profile.optional(),
  role: Role.nullish(),
  company: Company.nullish(),
  partner: Partner.nullish(),
  companies_responsibility: z.array(Company).optional(),
});

/** A company's user, with the desks and warehouses open to an employee. Contract 3. */
export const CompanyUser = User.extend({ company: CompanySummary.nullish() });

/** A user as stored. */
export const StoredUser = User.extend({
  ...accountSecrets,
  /** The profile, shown on request only. */
  person: Profile,
  responsibility_ids: z.array(z.int()),
  /** Companies open to a key beside its own. */
  company_ids: z.array(z.int()).optional(),
});

/** Users are stored on the platform, and copied to their family or partner for listing. */
export const users: RecordType<typeof StoredUser> = {
  type: 'user',
  copied: 'user.user',
  schema: StoredUser,
  indexes: [
    'type',
    'role_id',
    'company_id',
    'partner_id',
    'are_all_companies_available',
    'username',
    'phone',
  ],
  copies: ({ family_id, partner_id }) => [
    ...(family_id === null ? [] : [familyTenant(family_id)]),
    ...(partner_id === null ? [] : [partnerTenant(partner_id)]),
  ],
  names: ({ username }) => [{ path: 'username', scope: PLATFORM, text: username }],
  folded: ({ person, username }) => ({ name: normalizeText(nameOfUser({ person, username })) }),
  references: ({ type, partner_id, role_id, is_deleted }) =>
    is_deleted
      ? []
      : [
          // A super-administrator's role is never deleted, and the first is created together with it.
          ...(type === 'super_admin' ? [] : referenceTo(roles.type, 'role_id', role_id)),
          ...(type === 'partner' ? referenceTo(partners.type, 'partner_id', partner_id) : []),
        ],
};
