import * as z from 'zod';
import { accountSecrets, UserType } from '#lib/auth/account.ts';
import { userKey } from '#lib/auth/identify.ts';
import { Partner, partners } from '#lib/people/company/partner.ts';
import { Company, CompanySummary } from '#lib/people/company/record.ts';
import { Role, roles } from '#lib/people/role/record.ts';
import { type Embed, hiddenField, reference } from '#lib/records/query/embeds.ts';
import type { RecordType } from '#lib/records/record.ts';
import { referenceTo } from '#lib/records/references.ts';
import { parseStored, recordFields } from '#lib/records/stored.ts';
import { familyTenant, PLATFORM, partnerTenant } from '#lib/table/keys.ts';
import { requestContext } from '#lib/table/request-context.ts';
import { normalizeText } from '#lib/values/text.ts';
import { Timestamp } from '#lib/values/time.ts';

/** Personal fields of a user. Part 1, "User". */
export const Profile = z.object({
  first_name: z.string().nullable(),
  last_name: z.string().nullable(),
  position: z.string().nullable(),
  birth_date: z.string().nullable(),
  gender: z.string().nullable(),
  full_name: z.string(),
});

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

const Personal = z.codec(z.string().nullable(), z.string().nullable(), {
  decode: (held) => (requestContext().mayReadUsers ? held : null),
  encode: (shown) => shown,
});

/**
 * A user or an API key as shown to colleagues in their records. Callers without the right to read users get
 * no birth date and no gender. Contract 9.80.
 */
export const Colleague = User.pick({ id: true, type: true, phone: true }).extend({
  profile: Profile.extend({ birth_date: Personal, gender: Personal }).optional(),
});

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

/** `with[]=profile`: the personal fields of a user. */
export const profileEmbed: Embed = hiddenField('profile', 'person');

/** Embeds the user of a record's `<field>_id`: `with[]=<field>.profile`. */
export function personEmbed(field: string): Embed {
  return reference(
    field,
    (row) => {
      const id = row[`${field}_id`];
      return typeof id === 'number' ? userKey(id) : undefined;
    },
    profileEmbed,
  );
}

/** `with[]=creator.profile`: the user who made a record. */
export const creatorEmbed: Embed = personEmbed('creator');

/** `with[]=updater.profile`: the user who changed a document last. */
export const updaterEmbed: Embed = personEmbed('updater');

/** Returns the name of a user, or the username of one without. */
export function nameOfUser({ person, username }: Pick<z.input<typeof StoredUser>, 'person' | 'username'>) {
  return person.full_name || username;
}

const Named = StoredUser.pick({ person: true, username: true });

/** Returns the name of a user's stored item, for workbooks. */
export function nameOfUserItem(item: unknown): string {
  return nameOfUser(parseStored(Named, item));
}
