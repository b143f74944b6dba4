import { randomUUID } from 'node:crypto';
import { Account } from '#lib/access/account.ts';
import type { Administrator } from '#lib/access/actor.ts';
import { issueToken } from '#lib/access/tokens.ts';
import { refuse } from '#lib/values/refusal.ts';
import type { Instant } from '#lib/values/time.ts';
import { get } from './administrator.ts';
import { requireAuthority } from './authority.ts';

const IMPERSONATED_MS = 3_600_000;

/**
 * Makes a token for a director, an employee or a partner's user that names the administrator and is good for
 * an hour. 400 for anyone else, 403 for one who holds more than the caller. Decisions, 3.
 */
export async function authAs(actor: Administrator, id: number, at: Instant) {
  const user = await get(actor, id);
  if (user.type === 'admin' || user.type === 'super_admin') throw refuse('auth.impersonation_refused');
  await requireAuthority(actor, user);
  const { id: behind, session, roleId: role } = actor;
  const impersonator = { id: randomUUID(), user: behind, session, role, until: at + IMPERSONATED_MS };
  return { token: await issueToken(Account.parse(user), at, { impersonator }) };
}
