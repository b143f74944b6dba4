import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import {
  type Actor,
  type Area,
  hasRight,
  isIn,
  requireActive,
  requireUnblocked,
  type Staff,
} from '#lib/auth/actor.ts';
import { identify } from '#lib/auth/identify.ts';
import { identifySystem } from '#lib/auth/keys/external-system.ts';
import { isProgramKey, readProgramKey } from '#lib/auth/keys/program.ts';
import { consumeAttempt, takeFixedWindow } from '#lib/auth/rate-limit.ts';
import { isSigned, SIGNATURE } from '#lib/auth/signature.ts';
import { readToken, type TokenPayload } from '#lib/auth/tokens.ts';
import type { Metadata, Right } from '#lib/http/definition/definition.ts';
import { idempotentCallOf } from '#lib/http/definition/idempotency.ts';
import { localeOf } from '#lib/http/wire/accept.ts';
import { bodyBytes } from '#lib/http/wire/charset.ts';
import { responseText } from '#lib/http/wire/response.ts';
import { badRequest, forbidden, notFound, rightRequired, signInRequired } from '#lib/values/api-error.ts';
import type { Instant } from '#lib/values/time.ts';

/** Reads the token, then authorizes the caller and concurrently looks up the saved response. */
export async function authenticate(operation: Metadata, event: APIGatewayProxyEventV2) {
  const payload = await payloadOf(operation, event);
  const locale = localeOf(event.headers['accept-language']);
  const repetition =
    operation.idempotent && payload
      ? idempotentCallOf(event, payload.user, (answer) => responseText(operation.response, answer, locale))
      : undefined;
  const [actor, kept] = await Promise.all([authorize(operation, event, payload), repetition?.recall()]);
  return { actor, repetition, kept };
}

/**
 * Counts a call against its caller's rate limit, for any outcome, unless the operation counts by itself. 429
 * beyond.
 */
export async function countCall({ limit }: Metadata, actor: Actor, at: Instant): Promise<void> {
  if (!limit || limit.isCountedByOperation) return;
  const take = limit.isOnTheClock ? takeFixedWindow : consumeAttempt;
  await take(limit, String(actor.id), at);
}

/**
 * Reads the payload of a call's token, or of a program's key; undefined for operations without a token. 401
 * if it is missing or invalid.
 */
async function payloadOf(
  { right }: Metadata,
  { headers, requestContext, rawPath }: APIGatewayProxyEventV2,
): Promise<TokenPayload | undefined> {
  if (isTokenless(right)) return undefined;
  const token = /^Bearer (\S+)$/i.exec(headers['authorization'] ?? '')?.[1];
  if (token === undefined) throw signInRequired();
  const { timeEpoch: at } = requestContext;
  return isProgramKey(token) ? readProgramKey(token, rawPath, at) : readToken(token, at);
}

/**
 * Authorizes the caller. Part 1, "Authentication". 401 if the token's session has ended. 403 for the wrong
 * type of user, or without the right. 400 for a write for a deleted or blocked company, and without the
 * required POS token. 404 for an external system without a key of the company, and for a body without the
 * gateway's signature.
 */
async function authorize(
  { right, orRight, andRight, evenInactive }: Metadata,
  event: APIGatewayProxyEventV2,
  payload: TokenPayload | undefined,
): Promise<Actor | undefined> {
  const at = event.requestContext.timeEpoch;
  if (isTokenless(right)) return admitTokenless(right, event);
  if (!payload) throw signInRequired();
  const actor = await identify(payload, at);
  const pos = isIn('company', actor) ? actor.pos : undefined;
  if (right === 'at-desk') {
    if (!pos) throw badRequest('auth.no_pos_session');
    return actor;
  }
  if (pos?.isActive === false) throw signInRequired();
  if (right === 'signed-in') return actor;
  const isHeld = (each: Right | undefined) => each !== undefined && hasRight(actor, each);
  const isAllowed = right === 'staff' || isHeld(right) || isHeld(orRight);
  if (!isIn(areaOf(right), actor)) throw forbidden();
  if (!isAllowed) throw rightRequired(right);
  if (andRight !== undefined && !isHeld(andRight)) throw rightRequired(andRight);
  if (event.requestContext.http.method !== 'GET' && !evenInactive) requireActive(actor, at);
  return actor;
}

/** Returns true if callers with this right send no token. */
function isTokenless(right: Right): right is 'anyone' | 'external' | 'gateway' {
  return right === 'anyone' || right === 'external' || right === 'gateway';
}

/** Authorizes a caller without a token. */
async function admitTokenless(
  right: 'anyone' | 'external' | 'gateway',
  event: APIGatewayProxyEventV2,
): Promise<Staff | undefined> {
  if (right === 'gateway' && !isSigned(bodyBytes(event), event.headers[SIGNATURE])) throw notFound();
  if (right !== 'external') return undefined;
  const at = event.requestContext.timeEpoch;
  const system = await identifySystem(event.headers, at);
  // Not whether the company is deleted: credit requests are accepted even for a deactivated one.
  requireUnblocked(system, at);
  return system;
}

function areaOf(right: Exclude<Right, 'signed-in' | 'anyone'>): Area {
  if (right.startsWith('admin.')) return 'admin';
  return right.startsWith('partner.') ? 'partner' : 'company';
}
