import { isPassword } from '#lib/auth/passwords.ts';
import { defaultRoleWrites } from '#lib/people/role/default-role.ts';
import { roles } from '#lib/people/role/record.ts';
import { type NewUser, newUser, passwordChange } from '#lib/people/user/changes.ts';
import { userNamed } from '#lib/people/user/session.ts';
import { users } from '#lib/people/user/user.ts';
import { editRecord, insertion } from '#lib/records/record-writes.ts';
import { newBase } from '#lib/records/records-of.ts';
import { putNew } from '#lib/table/change/write.ts';
import { PLATFORM } from '#lib/table/keys.ts';
import { nextId } from '#lib/table/sequences.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import { ApiError } from '#lib/values/api-error.ts';
import type { Instant } from '#lib/values/time.ts';
import { hasRun, markerKey } from './once.ts';

const MARKER = 'super-administrator';

/** Returns whether the platform has had its first super-administrator. */
export function hasSuperAdministrator(): Promise<boolean> {
  return hasRun(MARKER);
}

/**
 * Creates the first super-administrator, who creates all others over HTTP, and their role: atomically, and
 * only once under concurrent calls. 422 on `username` if it is taken, 409 if a super-administrator exists.
 */
export async function makeSuperAdministrator(account: NewUser, at: Instant): Promise<void> {
  const [roleId, userId] = await Promise.all([nextId(roles.type, PLATFORM), nextId(users.type, PLATFORM)]);
  const user = await newUser(account);
  await transact([
    putNew(markerKey(MARKER), { made_at: at }, new ApiError(409, { key: 'http.conflict' })),
    ...defaultRoleWrites({ type: 'super_admin' }, roleId, at),
    ...insertion(users, PLATFORM, {
      ...newBase(userId, at),
      ...user,
      type: 'super_admin',
      role_id: roleId,
      is_confirmed: true,
    }),
  ]);
}

/**
 * Sets a super-administrator's password, which ends all their sessions; an equal password changes nothing.
 * Returns which applied, or that the username is no super-administrator's.
 */
export async function renewPassword(
  username: string,
  password: string,
  at: Instant,
): Promise<'changed' | 'same' | 'nobody'> {
  const user = await userNamed(username);
  if (user?.type !== 'super_admin') return 'nobody';
  if (await isPassword(password, user.password_hash)) return 'same';
  const secret = await passwordChange(password);
  await editRecord({ type: users, tenant: PLATFORM, id: user.id }, at, (before) => ({
    ...before,
    ...secret(before.session),
  }));
  return 'changed';
}
