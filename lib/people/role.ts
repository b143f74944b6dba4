import * as z from 'zod';
import { UserType } from '#lib/access/account.ts';
import { type Administrator, hasRight } from '#lib/access/actor.ts';
import { type Embed, reference } from '#lib/records/embeds.ts';
import { exact, exactOrList, period, substring } from '#lib/records/filters.ts';
import { embedQuery, type ListQuery, listQuery } from '#lib/records/list-query.ts';
import {
  editRecord,
  getRecord,
  insertRecord,
  listRecords,
  type RecordType,
  removeRecord,
  restoreRecord,
} from '#lib/records/record.ts';
import { recordFields } from '#lib/records/stored.ts';
import { familyHome, PLATFORM, partnerHome, recordKey } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/reads.ts';
import { nextId } from '#lib/table/sequences.ts';
import { Id, optionalText, orNull, text } from '#lib/values/fields.ts';
import type { Phrase } from '#lib/values/messages/say.ts';
import { invalid } from '#lib/values/refusal.ts';
import { fold } from '#lib/values/text.ts';
import type { Instant } from '#lib/values/time.ts';
import { Company, companyEmbed, isOpen, keyOfCompany } from './company.ts';

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
  company: Company.nullish(),
});

/** A role as the table holds it. */
export const StoredRole = Role.extend({
  /** The main company of the role's company. */
  family_id: z.int().nullable(),
});

/** What it takes to make or edit a role. `company_id` is for directors' and employees' roles, `partner_id` for partners'. */
export const RoleInput = z.object({
  type: UserType,
  name: text(255),
  description: optionalText(1000),
  new_routes: z.array(z.string().max(255)).max(1000),
  can_apply_sale_discount: z.boolean().default(false),
  company_id: orNull(Id),
  partner_id: orNull(Id),
});

type RoleInput = z.output<typeof RoleInput>;

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

/** All roles of the platform. */
export function list(query: ListQuery) {
  return listRecords(roles, PLATFORM, query);
}

/** One role, with what was asked for. */
export function get(id: number, wanted: readonly Embed[]) {
  return getRecord(roles, PLATFORM, id, wanted);
}

/** Makes a role. 422 on `name` where its company, its partner or the platform has one of that name. */
export async function create(actor: Administrator, input: RoleInput, at: Instant) {
  const [id, place] = await Promise.all([nextId(roles.type, PLATFORM), checkedPlace(actor, input)]);
  return insertRecord(roles, PLATFORM, {
    ...input,
    ...place,
    id,
    creator_id: actor.id,
    created_at: at,
    updated_at: at,
    is_deleted: false,
  });
}

/** Changes a role; its holders have the new rights from their next call on. Its type stays. */
export async function edit(actor: Administrator, id: number, input: RoleInput, at: Instant) {
  const place = await checkedPlace(actor, input);
  return editRecord(roles, PLATFORM, id, at, (before) => {
    if (before.type !== input.type) throw invalid({ type: 'role.type_fixed' });
    return { ...before, ...input, ...place };
  });
}

/** Deletes a role, softly: its holders are left without rights. */
export function remove(id: number, at: Instant) {
  return removeRecord(roles, PLATFORM, id, at);
}

/** Takes a deletion back. */
export function restore(id: number, at: Instant) {
  return restoreRecord(roles, PLATFORM, id, at);
}

const Place = z.object({ id: z.int(), parent_id: z.int().nullable(), is_deleted: z.literal(false) });

/** Whose the role is; 422 with every field that does not fit the role's type or the administrator's own rights. */
async function checkedPlace(actor: Administrator, input: RoleInput) {
  const problems = { ...placeProblems(input), ...routeProblems(actor, input) };
  if (input.type === 'super_admin' && actor.type !== 'super_admin') problems['type'] = { key: 'role.super' };
  const key = isCompanyRole(input) ? keyOfCompany(input.company_id) : undefined;
  const company = key && Place.safeParse(await getItem(key)).data;
  if (key && (!company || !isOpen(actor, company.id))) problems['company_id'] = { key: 'validation.exists' };
  if (Object.keys(problems).length > 0) throw invalid(problems);
  return {
    company_id: company?.id ?? null,
    family_id: company ? (company.parent_id ?? company.id) : null,
    partner_id: input.type === 'partner' ? input.partner_id : null,
  };
}

function placeProblems({ type, company_id, partner_id }: RoleInput): Record<string, Phrase> {
  if (isCompanyRole({ type }) && company_id === null) return { company_id: { key: 'validation.required' } };
  if (type === 'partner' && partner_id === null) return { partner_id: { key: 'validation.required' } };
  return {};
}

function routeProblems(actor: Administrator, { type, new_routes }: RoleInput): Record<string, Phrase> {
  const area = isCompanyRole({ type }) ? 'company' : type === 'partner' ? 'partner' : 'admin';
  const problems = new_routes.map((route, index): [string, Phrase | undefined] => {
    const path = `new_routes.${index}`;
    if (!route.startsWith(`${area}.`)) return [path, { key: 'role.route', with: { area: `${area}.` } }];
    return [path, area === 'admin' && !hasRight(actor, route) ? { key: 'role.not_held' } : undefined];
  });
  return Object.fromEntries(problems.flatMap(([path, problem]) => (problem ? [[path, problem]] : [])));
}

function isCompanyRole({ type }: Pick<RoleInput, 'type'>): boolean {
  return type === 'director' || type === 'employee';
}
