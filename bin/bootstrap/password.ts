import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';

/** Makes a random password of 144 bits. */
export function newPassword(): string {
  for (;;) {
    const password = randomBytes(18).toString('base64url');
    if (/[A-Za-z]/.test(password) && /\d/.test(password)) return password;
  }
}

/**
 * Asks for the operator's own password: in the environment, or else by a prompt that doesn't show what is
 * typed.
 */
export async function askedPassword(): Promise<string> {
  const given = process.env['ADMIN_PASSWORD'];
  if (given) return given;
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: unseen, terminal: process.stdin.isTTY });
  process.stderr.write('Password: ');
  try {
    for await (const line of lines) return line;
    return '';
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
}
