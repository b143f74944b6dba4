import * as z from 'zod';
import { type Key, PLATFORM, recordKey } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { forbidden, signInRequired } from '#lib/values/api-error.ts';
import type { Instant } from '#lib/values/time.ts';
import { Account } from '../account.ts';
import { userKey } from '../identify.ts';
import { isSame } from '../signature.ts';
import type { TokenPayload } from '../tokens.ts';
import { hashOf, isUseDue, recordKeyUse } from './secret.ts';

/* API keys of a company's own programs. Part 4, 4.3. */

const PREFIX = 'rk_';

const FORMAT = /^rk_([1-9]\d{0,11})_([\w-]{43})$/;

/** Beginnings of the paths that accept a program's key. Part 5, 5B.3. */
const ALLOWED_PREFIXES = ['/company/', '/common/public/enums'];

/** The part of a key's record with its hash, account and expiry. */
const Grant = Account.extend({
  type: z.literal('key'),
  hash: z.string(),
  expires_at: z.number().nullable(),
});

/** Formats a key for its program. It contains the id, so that its record is read directly. */
export function formatProgramKey(id: number, secret: string): string {
  return `${PREFIX}${id}_${secret}`;
}

/** Returns true for a program's key, false for a token. */
export function isProgramKey(bearer: string): boolean {
  return bearer.startsWith(PREFIX);
}

/** Returns true if operations at a path accept a program's key. */
function acceptsProgramKeys(path: string): boolean {
  return ALLOWED_PREFIXES.some((prefix) => path.startsWith(prefix));
}

/** Returns true if an operation, by its path and its right, may be called with a program's key. */
export function isForPrograms(path: string, right: string): boolean {
  return acceptsProgramKeys(path) && (['staff', 'signed-in'].includes(right) || right.startsWith('company.'));
}

/** Returns the key of the item with a program key's last use, separate from its record. */
export function programKeyUseKey(id: number): Key {
  return recordKey('program-key-use', PLATFORM, id);
}

/**
 * Authenticates a call by a program's key; returns the same payload as a token's. One round trip. 401 for a
 * wrong, deleted or expired key, 403 for a path that accepts no keys.
 */
export async function readProgramKey(bearer: string, path: string, at: Instant): Promise<TokenPayload> {
  const [, idText, secret] = FORMAT.exec(bearer) ?? [];
  if (idText === undefined || secret === undefined) throw signInRequired();
  const id = Number(idText);
  const [item, use] = await getItems([userKey(id), programKeyUseKey(id)]);
  const key = Grant.safeParse(item).data;
  if (!key || key.is_deleted || !isSame(hashOf(secret), key.hash)) throw signInRequired();
  if (key.expires_at !== null && key.expires_at <= at) throw signInRequired();
  if (!acceptsProgramKeys(path)) throw forbidden();
  if (isUseDue(use, at)) recordKeyUse(programKeyUseKey(id), at);
  return {
    user: id,
    session: key.session,
    role: key.role_id,
    company: key.company_id,
    family: key.family_id,
  };
}
