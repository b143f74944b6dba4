import { createSecretKey, type KeyObject } from 'node:crypto';
import { SignJWT } from 'jose/jwt/sign';
import { jwtVerify } from 'jose/jwt/verify';
import * as z from 'zod';
import { unauthenticated } from '#lib/values/refusal.ts';
import { setting } from '#lib/values/setting.ts';
import type { Instant } from '#lib/values/time.ts';
import type { Account } from './account.ts';

const ALGORITHM = 'HS256';

/**
 * What a token says of its bearer. All but the user, the session and the desk are hints that let the first read ask
 * for everything at once; the records decide.
 */
const Claims = z.object({
  user: z.int(),
  session: z.int(),
  role: z.int().nullable(),
  company: z.int().nullable(),
  family: z.int().nullable(),
  impersonator: z.int().optional(),
  /** Of a token given at a desk: where, and by which session of that desk. */
  pos: z.object({ cashbox: z.int(), session: z.int() }).optional(),
});

export type Claims = z.output<typeof Claims>;

/** What a token says beside whose it is. */
export type TokenOccasion = Pick<Claims, 'impersonator' | 'pos'>;

/** A token for an account, good for `TOKEN_TTL_DAYS` (30) or until the session ends. Decisions, 3. */
export async function issueToken(
  account: Account,
  at: Instant,
  occasion: TokenOccasion = {},
): Promise<string> {
  const claims: Claims = {
    user: account.id,
    session: account.session,
    role: account.role_id,
    company: account.company_id,
    family: account.family_id,
    ...occasion,
  };
  const issued = Math.floor(at / 1000);
  return new SignJWT({ ...claims })
    .setProtectedHeader({ alg: ALGORITHM })
    .setIssuedAt(issued)
    .setExpirationTime(issued + Number(process.env['TOKEN_TTL_DAYS'] ?? 30) * 86_400)
    .sign(secret());
}

/** The claims of a bearer token. 401 for a malformed, foreign or expired one. */
export async function readToken(token: string, at: Instant): Promise<Claims> {
  try {
    const { payload } = await jwtVerify(token, secret(), {
      algorithms: [ALGORITHM],
      currentDate: new Date(at),
    });
    return Claims.parse(payload);
  } catch {
    throw unauthenticated();
  }
}

let key: KeyObject | undefined;

// Made once: from bytes, each token would have one made anew.
function secret(): KeyObject {
  key ??= createSecretKey(setting('TOKEN_SECRET'), 'utf8');
  return key;
}
