import * as z from 'zod';
import { Account } from '#lib/auth/account.ts';
import { type Actor, isIn } from '#lib/auth/actor.ts';
import { issueToken, type TokenDetails } from '#lib/auth/tokens.ts';
import { countUnread } from '#lib/people/notification.ts';
import { rightsOf } from '#lib/people/role/rights.ts';
import { passwordChange, personalChanges, requireOwnPassword } from '#lib/people/user/changes.ts';
import { Profile } from '#lib/people/user/colleague.ts';
import { isUsername, type ProfileEdit } from '#lib/people/user/input.ts';
import { requireSession } from '#lib/people/user/session.ts';
import { User, users } from '#lib/people/user/user.ts';
import { userEmbeds } from '#lib/people/user/user-kind.ts';
import { getRecord } from '#lib/records/record.ts';
import { editRecord } from '#lib/records/record-writes.ts';
import { PLATFORM } from '#lib/table/keys.ts';
import { invalid } from '#lib/values/api-error.ts';
import type { Instant } from '#lib/values/time.ts';
import { OwnCompany, ownCompany } from './own-company.ts';

/** The current user. Part 1, "User"; Part 1, "Profile of the current user". */
export const CurrentUser = User.omit({ companies_responsibility: true }).extend({
  profile: Profile,
  role: User.shape.role,
  company: OwnCompany.nullable(),
  partner: User.shape.partner,
  rights: z.array(z.string()),
  /** Notifications not seen, among the newest 200. */
  unread_count: z.int(),
});

/** Reads the caller, with profile, role, company and partner. */
export async function getProfile(actor: Actor, at: Instant) {
  const { role, partner } = userEmbeds;
  const [user, company, unread_count] = await Promise.all([
    getRecord({ type: users, tenant: PLATFORM, id: actor.id }, [role, partner]),
    ownCompany(actor, at),
    countUnread(actor.id),
  ]);
  return { ...user, profile: user.person, company, rights: rightsOf(actor), unread_count };
}

/**
 * Edits the caller's own data; omitted fields stay. A new password confirms the account and ends every
 * earlier session. The new token has the same impersonation and desk session as the one it replaces. 401 if
 * the caller's session has ended, 403 for a password under impersonation.
 */
export async function editProfile(actor: Actor, input: z.output<typeof ProfileEdit>, at: Instant) {
  requireOwnPassword(actor, input);
  const secret = await passwordChange(input.new_password);
  const edited = await editRecord({ type: users, tenant: PLATFORM, id: actor.id }, at, (before) => {
    requireSession(actor, before);
    if (isUsername({ ...input, username: before.username }))
      throw invalid({ new_password: 'user.password_is_username' });
    return {
      ...before,
      ...secret(before.session),
      ...personalChanges(before, input),
      is_confirmed: before.is_confirmed || input.new_password !== undefined,
    };
  });
  return { token: await issueToken(Account.parse(edited), at, tokenDetailsOf(actor)) };
}

function tokenDetailsOf(actor: Actor): TokenDetails {
  const { impersonator } = actor;
  const pos = isIn('company', actor) ? actor.pos : undefined;
  return {
    ...(impersonator && { impersonator }),
    ...(pos && { pos: { cashbox: pos.cashboxId, session: pos.id } }),
  };
}
