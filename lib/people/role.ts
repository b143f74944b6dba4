import * as z from 'zod';
import { UserType } from '#lib/access/account.ts';
import type { Administrator } from '#lib/access/actor.ts';
import { type Embed, reference } from '#lib/records/embeds.ts';
import { exact, exactOrList, period, substring } from '#lib/records/filters.ts';
import { embedQuery, listQuery } from '#lib/records/list-query.ts';
import type { RecordType } from '#lib/records/record.ts';
import { ofPlatform, recordsOf } from '#lib/records/records-of.ts';
import { recordFields } from '#lib/records/stored.ts';
import { familyHome, PLATFORM, partnerHome, recordKey } from '#lib/table/keys.ts';
import { Id } from '#lib/values/fields.ts';
import { invalid } from '#lib/values/refusal.ts';
import { fold } from '#lib/values/text.ts';
import type { Instant } from '#lib/values/time.ts';
import { Company, companyEmbed } from './company.ts';
import { withinReach } from './responsibility.ts';
import { checkedOwner, type RoleInput } from './role-input.ts';

/** A role: the rights of the users who hold it, all of one type. Part 1, "User"; Decisions, 7, "Role". */
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
  company: Company.nullish(),
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
  indexes: ['type', 'company_id', 'partner_id'],
  copies: ({ family_id, partner_id }) => [
    ...(family_id === null ? [] : [familyHome(family_id)]),
    ...(partner_id === null ? [] : [partnerHome(partner_id)]),
  ],
  names: ({ name, family_id, partner_id }) => [
    { path: 'name', scope: `${family_id ?? 'platform'}-${partner_id ?? 'none'}`, text: name },
  ],
  folded: ({ name }) => ({ name: fold(name) }),
};

/** `with[]=role`: the role of a user. */
export const roleEmbed: Embed = reference('role', ({ role_id }) =>
  typeof role_id === 'number' ? recordKey(roles.type, PLATFORM, role_id) : undefined,
);

const embeds = { company: companyEmbed };

/** The list's query string. */
export const RoleList = listQuery({
  filters: {
    id: exactOrList('id', Id),
    type: exact('type', UserType),
    company_id: exactOrList('company_id', Id),
    partner_id: exactOrList('partner_id', Id),
    name: substring('name'),
    created_at: period('created_at'),
  },
  sorts: ['id', 'name'],
  embeds,
  pageSize: 20,
});

/** The query string of a single role. */
export const RoleEmbeds = embedQuery({ embeds });

const records = recordsOf(roles, { ...ofPlatform, reach: withinReach });

/** The roles within an administrator's reach, to list, get, delete and restore. The holders of a deleted one have no rights. */
export const { list, get, remove, restore } = records;

/** Makes a role. 422 on `name` where its company, its partner or the platform has one of that name. */
export function create(actor: Administrator, input: RoleInput, at: Instant) {
  const { id: creator_id } = actor;
  const owner = checkedOwner(actor, input);
  return records.insert(
    actor,
    at,
    owner.then((ids) => (base) => ({ ...base, ...input, ...ids, creator_id })),
  );
}

/** Changes a role; its holders have the new rights from their next call on. Its type stays. */
export function edit(actor: Administrator, id: number, input: RoleInput, at: Instant) {
  return records.change(actor, id, at, async (before) => {
    const owner = await checkedOwner(actor, input);
    if (before.type !== input.type) throw invalid({ type: 'role.type_fixed' });
    return { ...before, ...input, ...owner };
  });
}
