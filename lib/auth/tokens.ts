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
  /** Names this acting, so that it can be ended by itself. */
  id: z.string(),
  user: z.int(),
  session: z.int(),
  /** A hint, as in the payload. */
  role: z.int().nullable(),
  until: z.number(),
});

export type Impersonator = z.output<typeof Impersonator>;

/**
 * The content of a token. Only the user, the session and the desk count; the others are hints, so that the
 * first read can ask for everything at once. The records decide.
 */
const TokenPayload = z.object({
  user: z.int(),
  session: z.int(),
  role: z.int().nullable(),
  company: z.int().nullable(),
  family: z.int().nullable(),
  impersonator: Impersonator.optional(),
  /** In a token that was given at a desk: the desk, and its session. */
  pos: z.object({ cashbox: z.int(), session: z.int() }).optional(),
});

export type TokenPayload = z.output<typeof TokenPayload>;

/** The content of a token beside its user. */
export type TokenDetails = Pick<TokenPayload, 'impersonator' | 'pos'>;

/**
 * Issues a token for an account, good for `TOKEN_TTL_DAYS` (30) or until the session ends; one of `auth-as`
 * no longer than its hour. Contract 3.
 */
export async function issueToken(
  account: Account,
  at: Instant,
  occasion: TokenDetails = {},
): Promise<string> {
  const payload = {
    user: account.id,
    session: account.session,
    role: account.role_id,
    company: account.company_id,
    family: account.family_id,
    ...occasion,
  };
  const issued = Math.floor(at / 1000);
  const lasts = issued + Number(process.env['TOKEN_TTL_DAYS'] ?? 30) * 86_400;
  const ends = occasion.impersonator ? Math.floor(occasion.impersonator.until / 1000) : lasts;
  return new SignJWT({ ...payload })
    .setProtectedHeader({ alg: ALGORITHM })
    .setIssuedAt(issued)
    .setExpirationTime(Math.min(lasts, ends))
    .sign(keys().used);
}

/** A payload whose signature was found good, and the second in which it expires. */
interface Known {
  readonly payload: TokenPayload;
  readonly exp: number;
}

/** Enough for all who call one function within minutes. */
const MAX_KNOWN = 500;

/**
 * Payloads by their tokens: the keys of a process stay the same, so what they have signed once is good until
 * it expires. To check it again would take a tenth of a read's whole work.
 */
const known = new Map<string, Known>();

/**
 * Reads the payload of a bearer token. While secrets change, one that was signed with the other valid secret
 * is good too. 401 if it is malformed, foreign or expired.
 */
export async function readToken(token: string, at: Instant): Promise<TokenPayload> {
  const met = known.get(token);
  if (met && Math.floor(at / 1000) < met.exp) return met.payload;
  const { used, believed } = keys();
  const read = (await readBy(used, token, at)) ?? (believed && (await readBy(believed, token, at)));
  if (!read) throw signInRequired();
  remember(token, read);
  return read.payload;
}

function remember(token: string, read: Known): void {
  known.set(token, read);
  const [oldest] = known.keys();
  if (known.size > MAX_KNOWN && oldest !== undefined) known.delete(oldest);
}

async function readBy(key: KeyObject, token: string, at: Instant): Promise<Known | undefined> {
  try {
    const options = { algorithms: [ALGORITHM], currentDate: new Date(at) };
    const { payload } = await jwtVerify(token, key, options);
    return { payload: TokenPayload.parse(payload), exp: payload.exp ?? 0 };
  } catch {
    return undefined;
  }
}

interface Keys {
  /** Signs tokens, and is believed. */
  readonly used: KeyObject;
  /** Is believed only. */
  readonly believed: KeyObject | undefined;
}

let made: Keys | undefined;

// Made once: given as bytes, keys would be made anew for each token.
function keys(): Keys {
  const believed = process.env['TOKEN_SECRET_BELIEVED'];
  made ??= {
    used: createSecretKey(requireEnv('TOKEN_SECRET'), 'utf8'),
    believed: believed ? createSecretKey(believed, 'utf8') : undefined,
  };
  return made;
}
