import { randomUUID } from 'node:crypto';
import { hashPassword } from '#lib/access/passwords.ts';
import { newUser } from './family.ts';

/** The password of those who try a service. */
export const PASSWORD = 'Smoke-2026';

/** Makes a super-administrator who signs in with that password; answers with the username. */
export async function newAdministrator(): Promise<string> {
  const username = `smoke.${randomUUID()}`;
  await newUser({ type: 'super_admin', username, password_hash: await hashPassword(PASSWORD) });
  return username;
}
