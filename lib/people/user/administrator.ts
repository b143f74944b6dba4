import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { Account, PersonType } from '#lib/auth/account.ts';
import { isPlatformAccount } from '#lib/auth/account-manager.ts';
import type { Administrator } from '#lib/auth/actor.ts';
import { issueToken } from '#lib/auth/tokens.ts';
import { requireSession } from '#lib/people/user/session.ts';
import { exact, exactOrList, type Filter } from '#lib/records/query/filters.ts';
import { listQuery, selectionQuery } from '#lib/records/query/list-query.ts';
import { ifPhone } from '#lib/records/query/phone-filters.ts';
import { any, contains, equals, oneOf } from '#lib/table/expression.ts';
import { badRequest, invalid } from '#lib/values/api-error.ts';
import { Id } from '#lib/values/fields.ts';
import type { Instant } from '#lib/values/time.ts';
import { requireAuthority } from './authority.ts';
import { checkReferences } from './checks.ts';
import type { NewAdministrator, UserEdit } from './input.ts';
import { User } from './user.ts';
import { UserKind, userEmbeds } from './user-kind.ts';

const responsibility: Filter = z
  .union([z.array(Id).min(1).max(100), Id.transform((id) => [id])])
  .transform((ids) => any(ids.map((id) => contains('responsibility_ids', id))));

const usernameOrPhone: Filter = z
  .string()
  .transform((text) => any([equals('username', text), ...ifPhone('phone', text)]));

const filters = {
  id: exactOrList('id', Id),
  type: exactOrList('type', PersonType),
  role_id: exact('role_id', Id),
  company_id: exactOrList('company_id', Id),
  partner_id: exactOrList('partner_id', Id),
  are_all_companies_available: exact('are_all_companies_available', z.boolean()),
  'companies_responsibility.id': responsibility,
  username_or_phone: usernameOrPhone,
};

/** Query string of the list of users. Part 1, "Users". */
export const UserList = listQuery(filters, {
  sorts: ['id', 'username'],
  embeds: userEmbeds,
});

/** Parameters of the list, to select the users to notify. Part 1, "Notifications". */
export const UserSelection = selectionQuery(filters);

/** Response to the creation of an administrator. Part 1, "Users". */
export const CreatedUser = User.pick({
  type: true,
  role_id: true,
  username: true,
  phone: true,
  telephony_sip_number: true,
  are_all_companies_available: true,
  updated_at: true,
  created_at: true,
  id: true,
  last_login_at: true,
  is_deleted: true,
});

/** API keys have a list of their own. Part 4, 4.3. */
export const ARE_PEOPLE = oneOf('type', PersonType.options);

const administrators = new UserKind<Administrator>(ARE_PEOPLE);

/** List, get, delete and restore the users within an administrator's reach. */
export const { list, get, remove, restore } = administrators;

/** Creates an administrator. */
export function create(actor: Administrator, input: z.output<typeof NewAdministrator>, at: Instant) {
  const { username, role_id, are_all_companies_available: everywhere } = input;
  const responsibilities = input.companies_responsibility ?? [];
  const type = 'admin';
  return administrators.create(actor, input, at, async () => {
    await checkReferences(actor, { type, username, role_id, company_id: null, responsibilities, everywhere });
    return { type, role_id, responsibility_ids: responsibilities };
  });
}

/**
 * Edits a user of any type; omitted fields stay. Administrators who change their own password get a token for
 * a new session; otherwise returns undefined. 403 for a user with more rights than the caller.
 */
export async function edit(actor: Administrator, id: number, input: z.output<typeof UserEdit>, at: Instant) {
  const { username, role_id, are_all_companies_available, companies_responsibility } = input;
  const edited = await administrators.edit(actor, { id, form: input, at }, async (before) => {
    if (id === actor.id) requireSession(actor, before);
    const { type, partner_id } = before;
    if (type === 'super_admin' && role_id !== before.role_id) throw invalid({ role_id: 'user.role_fixed' });
    const responsibilities = companies_responsibility ?? [];
    const everywhere = type !== 'partner' && are_all_companies_available;
    const given = { type, username, role_id, company_id: null, partner_id };
    await checkReferences(actor, { ...given, responsibilities, everywhere, before });
    const responsibility_ids = companies_responsibility ?? before.responsibility_ids;
    return { role_id, are_all_companies_available, responsibility_ids };
  });
  if (id !== actor.id || input.new_password === undefined) return undefined;
  return { token: await issueToken(Account.parse(edited), at) };
}

const IMPERSONATED_MS = 3_600_000;

/**
 * Issues a one-hour impersonation token for a director, an employee or a partner's user. 400 for other types,
 * 403 for a user with more rights than the caller. Contract 3.
 */
export async function authAs(actor: Administrator, id: number, at: Instant) {
  const user = await get(actor, id);
  if (isPlatformAccount(user.type)) throw badRequest('auth.impersonation_refused');
  await requireAuthority(actor, user);
  const { id: behind, session, roleId: role } = actor;
  const impersonator = { id: randomUUID(), user: behind, session, role, until: at + IMPERSONATED_MS };
  return { token: await issueToken(Account.parse(user), at, { impersonator }) };
}
