import { randomBytes } from 'node:crypto';
import { ask } from '../program/ask.ts';

/** Makes a random password of 144 bits. */
export function newPassword(): string {
  for (;;) {
    const password = randomBytes(18).toString('base64url');
    if (/[A-Za-z]/.test(password) && /\d/.test(password)) return password;
  }
}

/** Asks for the operator's own password: in the environment, or else by a prompt. */
export async function readPassword(): Promise<string> {
  return process.env['ADMIN_PASSWORD'] || ask('Password: ', { isSecret: true });
}
