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
import { badRequest, forbidden, notFound, signInRequired } from '#lib/values/api-error.ts';
import type { Instant } from '#lib/values/time.ts';

/**
 * Reads the token, lets the caller in, as `authorize` says, and looks up whether the call has been answered
 * before, side by side.
 */
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
 * Counts a call against its caller's limit, whatever its outcome, unless the operation counts. 429 beyond.
 */
export async function countCall({ limit }: Metadata, actor: Actor, at: Instant): Promise<void> {
  if (!limit || limit.isCountedByOperation) return;
  const take = limit.isOnTheClock ? takeFixedWindow : consumeAttempt;
  await take(limit, String(actor.id), at);
}

/**
 * Reads the payload of a call's token, or of a program's key; undefined if the operation is for callers
 * without one. 401 if there is none, or an invalid one.
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
 * Lets the caller in. Part 1, "Authentication". 401 if the token's session has ended. 403 for the wrong type
 * of user, or without the right. 400 if something would be written for a company that is deleted or blocked,
 * and if a POS token is required and the caller's is none. 404 for another system without a key to the
 * company, and for a body that the gateway has not signed.
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
  const lacksFurther = andRight !== undefined && !isHeld(andRight);
  if (!isIn(areaOf(right), actor) || !isAllowed || lacksFurther) throw forbidden();
  if (event.requestContext.http.method !== 'GET' && !evenInactive) requireActive(actor, at);
  return actor;
}

/** Tells whether callers with this right send no token. */
function isTokenless(right: Right): right is 'anyone' | 'external' | 'gateway' {
  return right === 'anyone' || right === 'external' || right === 'gateway';
}

/** Lets a caller in who sends no token. */
async function admitTokenless(
  right: 'anyone' | 'external' | 'gateway',
  event: APIGatewayProxyEventV2,
): Promise<Staff | undefined> {
  if (right === 'gateway' && !isSigned(bodyBytes(event), event.headers[SIGNATURE])) throw notFound();
  if (right !== 'external') return undefined;
  const at = event.requestContext.timeEpoch;
  const system = await identifySystem(event.headers, at);
  // Whether the company is deleted is not asked: credit requests are accepted even for a deactivated one.
  requireUnblocked(system, at);
  return system;
}

function areaOf(right: Exclude<Right, 'signed-in' | 'anyone'>): Area {
  if (right.startsWith('admin.')) return 'admin';
  return right.startsWith('partner.') ? 'partner' : 'company';
}
