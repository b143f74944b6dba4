import * as z from 'zod';
import { UserType } from '#lib/access/account.ts';
import type { RecordType } from '#lib/records/record.ts';
import { recordFields } from '#lib/records/stored.ts';
import { familyHome, partnerHome } from '#lib/table/keys.ts';
import { fold } from '#lib/values/text.ts';

/** A role: the rights of the users who hold it, all of one type. Part 1, "User"; decisions, "Access". */
export const Role = z.object({
  ...recordFields,
  creator_id: z.int().nullable(),
  company_id: z.int().nullable(),
  partner_id: z.int().nullable(),
  type: UserType,
  name: z.string(),
  description: z.string().nullable(),
  new_routes: z.array(z.string()),
  can_apply_sale_discount: z.boolean(),
});

/** A role as the table holds it. */
export const StoredRole = Role.extend({
  /** The main company of the role's company. */
  family_id: z.int().nullable(),
});

/** Roles live on the platform, and are listed for the family or partner whose they are too. */
export const roles: RecordType<typeof StoredRole> = {
  type: 'role',
  schema: StoredRole,
  copies: ({ family_id, partner_id }) => [
    ...(family_id === null ? [] : [familyHome(family_id)]),
    ...(partner_id === null ? [] : [partnerHome(partner_id)]),
  ],
  names: ({ name, family_id, partner_id }) => [
    { path: 'name', scope: `${family_id ?? 'platform'}-${partner_id ?? 'none'}`, text: name },
  ],
  folded: ({ name }) => ({ name: fold(name) }),
};
