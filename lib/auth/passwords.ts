import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify(argon2);

// OWASP's first choice for argon2id: 19 MiB, two passes, no parallelism.
const COST = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };

/** Hashes a password with argon2id, in PHC notation. Contract 3. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const tag = await derive('argon2id', { ...COST, message: password, nonce: salt });
  const { memory, passes, parallelism } = COST;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(tag)}`;
}

/**
 * Returns true if a hash belongs to this password. Without a hash it takes the same time and returns false.
 */
export async function isPassword(password: string, hash: string | undefined): Promise<boolean> {
  const parts = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(hash ?? '');
  const [memory, passes, parallelism] = (
    parts?.slice(1, 4) ?? [COST.memory, COST.passes, COST.parallelism]
  ).map(Number);
  const salt = Buffer.from(parts?.[4] ?? 'AAAAAAAAAAAAAAAAAAAAAA', 'base64');
  const expected = Buffer.from(parts?.[5] ?? '', 'base64');
  const tag = await derive('argon2id', {
    memory: memory ?? COST.memory,
    passes: passes ?? COST.passes,
    parallelism: parallelism ?? COST.parallelism,
    tagLength: expected.length || COST.tagLength,
    message: password,
    nonce: salt,
  });
  return tag.length === expected.length && timingSafeEqual(tag, expected);
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
