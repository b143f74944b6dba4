import * as z from 'zod';
import { Account, UserType } from '#lib/access/account.ts';
import type { Administrator } from '#lib/access/actor.ts';
import { peopleWithinReach } from '#lib/access/keeper.ts';
import { issueToken } from '#lib/access/tokens.ts';
import { requireSession } from '#lib/people/user/session.ts';
import { exact, exactOrList, type Filter } from '#lib/records/query/filters.ts';
import { embedQuery, listQuery, selectionQuery } from '#lib/records/query/list-query.ts';
import { type NewBase, ofPlatform, recordsOf } from '#lib/records/records-of.ts';
import { any, contains, equals } from '#lib/table/expression.ts';
import { Id } from '#lib/values/fields.ts';
import { invalid, refuse } from '#lib/values/refusal.ts';
import { begin } from '#lib/values/side-by-side.ts';
import type { Instant } from '#lib/values/time.ts';
import { requireAuthority } from './authority.ts';
import { newUser, passwordChange, personalChanges } from './changes.ts';
import { checkReferences } from './checks.ts';
import type { NewAdministrator, UserEdit } from './input.ts';
import { userEmbeds } from './query.ts';
import { User, users } from './user.ts';

const responsibility: Filter = z
  .union([z.array(Id).min(1).max(100), Id.transform((id) => [id])])
  .transform((ids) => any(ids.map((id) => contains('responsibility_ids', id))));

const usernameOrPhone: Filter = z
  .string()
  .transform((text) => any([equals('username', text), equals('phone', text)]));

const filters = {
  id: exactOrList('id', Id),
  type: exactOrList('type', UserType),
  role_id: exact('role_id', Id),
  company_id: exactOrList('company_id', Id),
  partner_id: exactOrList('partner_id', Id),
  are_all_companies_available: exact('are_all_companies_available', z.boolean()),
  'companies_responsibility.id': responsibility,
  username_or_phone: usernameOrPhone,
};

/** The query string of the list of users. Part 1, "Users". */
export const UserList = listQuery(filters, {
  sorts: ['id', 'username'],
  embeds: userEmbeds,
});

/** Parameters of the list, for choosing the users to tell something. Part 1, "Notifications". */
export const UserSelection = selectionQuery(filters);

/** The query string of a single user. */
export const UserEmbeds = embedQuery({ embeds: userEmbeds });

/** The answer to making an administrator. Part 1, "Users". */
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

const records = recordsOf(users, { ...ofPlatform, reach: peopleWithinReach });

/** List and get the users within an administrator's reach. */
export const { list, get } = records;

/** Makes an administrator. */
export function create(actor: Administrator, input: z.output<typeof NewAdministrator>, at: Instant) {
  return records.insert(actor, at, begin(administratorOf(actor, input)));
}

/**
 * Changes a user of any type; what is left out stays as it is. A new password ends all sessions of the user.
 * Administrators who change their own get a token for a new one; otherwise there is no result. 403 for a user
 * who holds more than the caller.
 */
export async function edit(actor: Administrator, id: number, input: z.output<typeof UserEdit>, at: Instant) {
  const { role_id, username, companies_responsibility } = input;
  const secret = await passwordChange(input.new_password);
  const edited = await records.change(actor, id, at, async (before) => {
    if (id === actor.id) requireSession(actor, before);
    await requireAuthority(actor, before);
    if (before.type === 'super_admin' && role_id !== before.role_id)
      throw invalid({ role_id: 'user.role_fixed' });
    const { type, family_id, partner_id } = before;
    const everywhere = type !== 'partner' && input.are_all_companies_available;
    const responsibilities = companies_responsibility ?? [];
    const place = { company_id: null, family_id, partner_id };
    await checkReferences(actor, { id, type, username, role_id, ...place, responsibilities, everywhere });
    return {
      ...before,
      ...secret(before.session),
      role_id,
      username,
      ...personalChanges(before, input),
      are_all_companies_available: input.are_all_companies_available,
      responsibility_ids: companies_responsibility ?? before.responsibility_ids,
    };
  });
  if (id !== actor.id || input.new_password === undefined) return undefined;
  return { token: await issueToken(Account.parse(edited), at) };
}

/**
 * Deletes a user, softly, and ends their sessions. 400 for a super-administrator and for oneself, 403 for one
 * who holds more than the caller.
 */
export async function remove(actor: Administrator, id: number, at: Instant) {
  await records.change(actor, id, at, async (before) => {
    if (before.type === 'super_admin' || id === actor.id) throw refuse('user.protected');
    await requireAuthority(actor, before);
    return { ...before, is_deleted: true, session: before.session + 1 };
  });
}

/** Takes a deletion back; the sessions stay ended. 403 for one who holds more than the caller. */
export async function restore(actor: Administrator, id: number, at: Instant) {
  await requireAuthority(actor, await records.find(actor, id));
  await records.restore(actor, id, at);
}

async function administratorOf(actor: Administrator, input: z.output<typeof NewAdministrator>) {
  const { role_id, username } = input;
  const everywhere = input.are_all_companies_available;
  const responsibilities = input.companies_responsibility ?? [];
  const type = 'admin';
  await checkReferences(actor, { type, username, role_id, company_id: null, responsibilities, everywhere });
  const user = await newUser(input);
  return (base: NewBase) =>
    ({ ...user, ...base, type, role_id, responsibility_ids: responsibilities }) as const;
}
