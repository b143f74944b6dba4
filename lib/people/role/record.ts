import * as z from 'zod';
import { PersonType, RoleRights } from '#lib/auth/account.ts';
import { CompanySummary, companyEmbed } from '#lib/people/company/known.ts';
import { type Embed, reference } from '#lib/records/query/embeds.ts';
import { exact, exactOrList, period, substring } from '#lib/records/query/filters.ts';
import type { RecordType } from '#lib/records/record.ts';
import { recordFields } from '#lib/records/stored.ts';
import { familyTenant, PLATFORM, partnerTenant, recordKey } from '#lib/table/keys.ts';
import type { UniqueConstraint } from '#lib/table/transaction/unique-constraints.ts';
import { badRequest } from '#lib/values/api-error.ts';
import { Id } from '#lib/values/fields.ts';
import { nameSearchText } from '#lib/values/localized.ts';

/** A role: the rights of its users, all of one type. Part 1, "User"; Contract 7, "Role". */
export const Role = z.object({
  ...recordFields,
  creator_id: z.int().nullable(),
  company_id: z.int().nullable(),
  partner_id: z.int().nullable(),
  type: PersonType,
  name: z.string(),
  description: z.string().nullable(),
  new_routes: RoleRights,
  can_apply_sale_discount: z.boolean(),
  company: CompanySummary.nullish(),
});

/** A role as stored. */
export const StoredRole = Role.extend({
  /** Main company of the role's company. */
  family_id: z.int().nullable(),
  /** True for a default role, which is created with its owner and can't be deleted. */
  is_given: z.boolean().optional(),
});

/** Roles are stored on the platform, and copied to their family or partner for listing. */
export const roles: RecordType<typeof StoredRole> = {
  type: 'role',
  schema: StoredRole,
  filters: {
    id: exactOrList('id', Id),
    type: exact('type', PersonType),
    company_id: exactOrList('company_id', Id),
    partner_id: exactOrList('partner_id', Id),
    name: substring('name'),
    created_at: period('created_at'),
  },
  sorts: ['id', 'name'],
  embeds: { company: companyEmbed },
  copies: ({ family_id, partner_id }) => [
    ...(family_id === null ? [] : [familyTenant(family_id)]),
    ...(partner_id === null ? [] : [partnerTenant(partner_id)]),
  ],
  names: roleNames,
  ...nameSearchText,
  inUse: badRequest('role.in_use'),
};

/** Returns the unique constraint of a role's name within its family, its partner or the platform. */
function roleNames({
  name,
  family_id,
  partner_id,
}: Pick<z.input<typeof StoredRole>, 'name' | 'family_id' | 'partner_id'>): UniqueConstraint[] {
  return [{ path: 'name', scope: `${family_id ?? 'platform'}-${partner_id ?? 'none'}`, text: name }];
}

/** `with[]=role`: the role of a user. */
export const roleEmbed: Embed = reference('role', ({ role_id }) =>
  typeof role_id === 'number' ? recordKey(roles.type, PLATFORM, role_id) : undefined,
);
