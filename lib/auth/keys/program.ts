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

/*
 * Keys by which a company's own programs call. Part 4, 4.3.
 */

const PREFIX = 'rk_';

const SPELLED = /^rk_([1-9]\d{0,11})_([\w-]{43})$/;

/** Paths that a program's key opens. */
const OPEN = '/company/';

/** A part of a key's record that decides whether it is good. */
const Grant = Account.extend({
  type: z.literal('key'),
  hash: z.string(),
  expires_at: z.number().nullable(),
});

/** Spells a key as its program is to send it. Its id is in it, so that its record is found at once. */
export function formatProgramKey(id: number, secret: string): string {
  return `${PREFIX}${id}_${secret}`;
}

/** Tells a program's key from a token. */
export function isProgramKey(bearer: string): boolean {
  return bearer.startsWith(PREFIX);
}

/** Gives the key of the item of a program key's last use, which is no part of its record. */
export function programKeyUseKey(id: number): Key {
  return recordKey('program-key-use', PLATFORM, id);
}

/**
 * Reads who calls a path by a program's key, as a token would say it. One round trip. 401 for a wrong,
 * deleted or expired key, 403 for a path that is open to people only.
 */
export async function readProgramKey(bearer: string, path: string, at: Instant): Promise<TokenPayload> {
  const [, spelled, secret] = SPELLED.exec(bearer) ?? [];
  if (spelled === undefined || secret === undefined) throw signInRequired();
  const id = Number(spelled);
  const [item, use] = await getItems([userKey(id), programKeyUseKey(id)]);
  const key = Grant.safeParse(item).data;
  if (!key || key.is_deleted || !isSame(hashOf(secret), key.hash)) throw signInRequired();
  if (key.expires_at !== null && key.expires_at <= at) throw signInRequired();
  if (!path.startsWith(OPEN)) throw forbidden();
  if (isUseDue(use, at)) recordKeyUse(programKeyUseKey(id), at);
  return {
    user: id,
    session: key.session,
    role: key.role_id,
    company: key.company_id,
    family: key.family_id,
  };
}
