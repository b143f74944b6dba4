import { randomUUID } from 'node:crypto';
import { hashPassword } from '#lib/auth/passwords.ts';
import { insertUser } from './users.ts';

/** The password of those who try a service. */
export const PASSWORD = 'Smoke-2026';

type Given = Partial<Parameters<typeof insertUser>[0]>;

/**
 * Creates an administrator who signs in with that password, a super-administrator unless something else is
 * given; returns the username.
 */
export async function newAdministrator(given: Given = {}): Promise<string> {
  const username = `smoke.${randomUUID()}`;
  const password_hash = await hashPassword(PASSWORD);
  await insertUser({ type: 'super_admin', username, password_hash, ...given });
  return username;
}

/** Builds the body that makes an administrator with a role. */
export function administratorForm(role_id: number, given: object) {
  return {
    role_id,
    username: `admin.${randomUUID()}`,
    phone: '998901112233',
    are_all_companies_available: true,
    new_password: 'Office-2026',
    new_password_confirmation: 'Office-2026',
    ...given,
  };
}
