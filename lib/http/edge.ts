import { gzipSync } from 'node:zlib';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { isSame } from '#lib/auth/signature.ts';
import { type ApiError, forbidden, notFound } from '#lib/values/api-error.ts';
import { requireEnv } from '#lib/values/env.ts';
import type { Endpoint } from './endpoint.ts';
import { methodNotAllowed } from './steps/input.ts';
import { localeOf, takesGzip } from './wire/accept.ts';
import { countFigures, log } from './wire/log.ts';
import { errorResponse, type LambdaResponse } from './wire/response.ts';

/** The header by which the content network proves that a call came through it. It replaces a caller's own. */
export const ORIGIN_HEADER = 'x-origin-secret';

/** The header in which the content network tells the caller's address; nothing else may set it. */
export const VIEWER_HEADER = 'x-viewer-address';

/** An answer that is shorter isn't worth it: it travels in one packet either way. */
const WORTH_BYTES = 1024;

/**
 * A list is packed in a third of the time that the usual level takes, and a tenth less tightly. At once: a
 * function answers one call at a time, and a thread beside it costs more than it takes off.
 */
const LEVEL = 3;

/**
 * Wraps a function that only answers, as it is to be deployed: it lets in what came through the content
 * network, with the caller's own address, and compresses the answer. 403 for calls that went past the
 * network.
 */
export function requireEdge(handler: Handler): Handler {
  return async (event, context) => {
    const { requestContext, headers } = event;
    const sourceIp = callerOf(headers, requestContext.http.sourceIp);
    if (sourceIp === undefined) {
      const figures = countFigures({ counts: { past_the_edge: 1 } }, Date.now());
      log({ level: 'warn', message: 'past the edge', request_id: requestContext.requestId, ...figures });
      return eventErrorResponse(event, forbidden('auth.past_the_edge'));
    }
    const http = { ...requestContext.http, sourceIp };
    const answer = await handler({ ...event, requestContext: { ...requestContext, http } }, context);
    return compress(answer, headers['accept-encoding']);
  };
}

type Headers = Readonly<Record<string, string | undefined>>;

/**
 * Finds the caller's address; undefined if the call went past the content network, and so past its firewall.
 * If no secret is set, there is no network before the functions.
 */
function callerOf(headers: Headers, connected: string): string | undefined {
  if (process.env['ORIGIN_SECRET'] === undefined) return connected;
  const given = headers[ORIGIN_HEADER] ?? '';
  const secrets = [requireEnv('ORIGIN_SECRET'), requireEnv('ORIGIN_SECRET_BELIEVED')];
  const isBelieved = secrets.some((secret) => isSame(given, secret));
  return isBelieved ? (headers[VIEWER_HEADER] ?? connected) : undefined;
}

/**
 * Compresses an answer of text, if the caller takes that. The content network compresses only what it keeps,
 * and it keeps no answers; the APIs can't. Files come as they are, and fixed pages are packed already.
 */
function compress(answer: LambdaResponse, accepted: string | undefined): LambdaResponse {
  const { body, headers, isBase64Encoded } = answer;
  if (isBase64Encoded || headers['content-encoding'] !== undefined) return answer;
  if (Buffer.byteLength(body) < WORTH_BYTES) return answer;
  const told = { ...headers, vary: 'accept-encoding' };
  if (!takesGzip(accepted)) return { ...answer, headers: told };
  const packed = gzipSync(body, { level: LEVEL });
  return {
    ...answer,
    headers: { ...told, 'content-encoding': 'gzip' },
    body: packed.toString('base64'),
    isBase64Encoded: true,
  };
}

/** A function of the gateway, as it is deployed. */
export type Handler = (event: APIGatewayProxyEventV2, context: Context) => Promise<LambdaResponse>;

/**
 * Makes the function of a path's PUT, PATCH or DELETE that also serves the path's POST. There `_method` in
 * the query says which is meant, as forms can't send these themselves. Part 1, "Shared conventions", 7. 405
 * for a method that the path doesn't have.
 */
export function withMethodOverride(endpoints: Readonly<Record<string, Endpoint>>): Handler {
  return async (event, context) => {
    const { http } = event.requestContext;
    const method = http.method === 'POST' ? methodMeant(event) : http.method;
    const meant = method === 'GET' ? undefined : endpoints[method];
    if (!meant) return eventErrorResponse(event, methodNotAllowed());
    return meant(
      { ...event, requestContext: { ...event.requestContext, http: { ...http, method } } },
      context,
    );
  };
}

function methodMeant(event: APIGatewayProxyEventV2): string {
  return new URLSearchParams(event.rawQueryString).get('_method')?.toUpperCase() ?? '';
}

/** Tells with each 405 of a function which methods its path takes. RFC 9110, 15.5.6. */
export function withAllowHeader(methods: readonly string[], handler: Handler): Handler {
  return async (event, context) => {
    const answer = await handler(event, context);
    if (answer.statusCode === 405) answer.headers['allow'] = methods.join(', ');
    return answer;
  };
}

/** Addresses that people type for the page of the reference. Contract 9.132. */
const BEFORE_PAGE = new Set(['/', '/docs/']);

/**
 * Makes the function of every address that no route has, from the methods of each path. 405 if the path is
 * one of ours, else 404; what people type for the reference leads there. A browser that asks whether it may
 * call is never refused, should a gateway hand that over: the gateway adds the rules.
 */
export function catchAll(served: Readonly<Record<string, readonly string[]>>): Handler {
  const patterns = Object.entries(served).map(([path, methods]) => ({
    pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}/?$`),
    methods,
  }));
  return async (event, context) => {
    const { method } = event.requestContext.http;
    if (method === 'OPTIONS') return { statusCode: 204, headers: {}, body: '' };
    const isPage = method === 'GET' && BEFORE_PAGE.has(event.rawPath);
    if (isPage) return pageAnswer(event);
    // An address may be that of a fixed word and that of a variable: each method is served by its own.
    const known = patterns.filter(({ pattern }) => pattern.test(event.rawPath));
    if (known.length === 0) return eventErrorResponse(event, notFound());
    const methods = new Set(known.flatMap((each) => each.methods));
    return withAllowHeader([...methods], async () => eventErrorResponse(event, methodNotAllowed()))(
      event,
      context,
    );
  };
}

function pageAnswer({ requestContext }: APIGatewayProxyEventV2): LambdaResponse {
  return {
    statusCode: 302,
    headers: { location: '/docs', 'x-request-id': requestContext.requestId },
    body: '',
  };
}

/** Makes the answer to an event that no operation gets to see. */
export function eventErrorResponse(event: APIGatewayProxyEventV2, refusal: ApiError): LambdaResponse {
  const answer = errorResponse(refusal, localeOf(event.headers['accept-language']));
  answer.headers['x-request-id'] = event.requestContext.requestId;
  return answer;
}
