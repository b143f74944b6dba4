import { createSecretKey, type KeyObject } from 'node:crypto';
import { SignJWT } from 'jose/jwt/sign';
import { jwtVerify } from 'jose/jwt/verify';
import * as z from 'zod';
import { signInRequired } from '#lib/values/api-error.ts';
import { requireEnv } from '#lib/values/env.ts';
import type { Instant } from '#lib/values/time.ts';
import type { Account } from './account.ts';

const ALGORITHM = 'HS256';

/** The administrator behind a token of `auth-as`: it ends with their session, by a logout, and at `until`. */
const Impersonator = z.object({
  /** Identifies this impersonation, so that it can be ended separately. */
  id: z.string(),
  user: z.int(),
  session: z.int(),
  /** A hint, as in the payload. */
  role: z.int().nullable(),
  until: z.number(),
});

export type Impersonator = z.output<typeof Impersonator>;

/**
 * The content of a token. Only the user, the session and the desk are authoritative; the others are hints, so
 * that one read gets all records, which decide.
 */
const TokenPayload = z.object({
  user: z.int(),
  session: z.int(),
  role: z.int().nullable(),
  company: z.int().nullable(),
  family: z.int().nullable(),
  impersonator: Impersonator.optional(),
  /** In a token issued at a desk: the desk, and its session. */
  pos: z.object({ cashbox: z.int(), session: z.int() }).optional(),
});

export type TokenPayload = z.output<typeof TokenPayload>;

/** The content of a token besides its user. */
export type TokenDetails = Pick<TokenPayload, 'impersonator' | 'pos'>;

/**
 * Issues a token for an account, valid for `TOKEN_TTL_DAYS` (30) or until the session ends; one of `auth-as`
 * no longer than its hour. Contract 3.
 */
export async function issueToken(account: Account, at: Instant, details: TokenDetails = {}): Promise<string> {
  const payload = {
    user: account.id,
    session: account.session,
    role: account.role_id,
    company: account.company_id,
    family: account.family_id,
    ...details,
  };
  const issued = Math.floor(at / 1000);
  const lasts = issued + Number(process.env['TOKEN_TTL_DAYS'] ?? 30) * 86_400;
  const ends = details.impersonator ? Math.floor(details.impersonator.until / 1000) : lasts;
  return new SignJWT({ ...payload })
    .setProtectedHeader({ alg: ALGORITHM })
    .setIssuedAt(issued)
    .setExpirationTime(Math.min(lasts, ends))
    .sign(keys().used);
}

/** A payload with a valid signature, and the second in which it expires. */
interface VerifiedToken {
  readonly payload: TokenPayload;
  readonly exp: number;
}

/** Enough for all callers of a function instance within minutes. */
const MAX_CACHED = 500;

/**
 * Verified payloads by token: the keys of a process don't change, so a signature stays valid until the token
 * expires. Verifying it again would take a tenth of a read's CPU time.
 */
const verified = new Map<string, VerifiedToken>();

/**
 * Reads the payload of a bearer token. During a rotation the other accepted secret is valid too. 401 if it is
 * malformed, has an invalid signature or has expired.
 */
export async function readToken(token: string, at: Instant): Promise<TokenPayload> {
  const cached = verified.get(token);
  if (cached && Math.floor(at / 1000) < cached.exp) return cached.payload;
  const { used, accepted } = keys();
  const read = (await readBy(used, token, at)) ?? (accepted && (await readBy(accepted, token, at)));
  if (!read) throw signInRequired();
  cacheToken(token, read);
  return read.payload;
}

function cacheToken(token: string, read: VerifiedToken): void {
  verified.set(token, read);
  const [oldest] = verified.keys();
  if (verified.size > MAX_CACHED && oldest !== undefined) verified.delete(oldest);
}

async function readBy(key: KeyObject, token: string, at: Instant): Promise<VerifiedToken | undefined> {
  try {
    const options = { algorithms: [ALGORITHM], currentDate: new Date(at) };
    const { payload } = await jwtVerify(token, key, options);
    return { payload: TokenPayload.parse(payload), exp: payload.exp ?? 0 };
  } catch {
    return undefined;
  }
}

interface Keys {
  /** Signs and verifies tokens. */
  readonly used: KeyObject;
  /** Only verifies tokens. */
  readonly accepted: KeyObject | undefined;
}

let cachedKeys: Keys | undefined;

// Cached: a key given as bytes would be imported again for each token.
function keys(): Keys {
  const accepted = process.env['TOKEN_SECRET_BELIEVED'];
  cachedKeys ??= {
    used: createSecretKey(requireEnv('TOKEN_SECRET'), 'utf8'),
    accepted: accepted ? createSecretKey(accepted, 'utf8') : undefined,
  };
  return cachedKeys;
}
