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

/** CloudFront's secret header, proof of a call through CloudFront. It overwrites a caller's own. */
export const ORIGIN_HEADER = 'x-origin-secret';

/** The header in which CloudFront passes the caller's address; no other source is trusted. */
export const VIEWER_HEADER = 'x-viewer-address';

/** A shorter response isn't worth it: it fits into one packet either way. */
const WORTH_BYTES = 1024;

/**
 * Compresses a list in a third of the time of the default level, at a tenth less compression. Synchronous: a
 * function serves one call at a time, and a thread would cost more than it saves.
 */
const LEVEL = 3;

/**
 * Wraps an HTTP function for deployment: accepts calls through CloudFront, with the caller's own address, and
 * compresses the response. 403 for calls that bypassed CloudFront.
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
 * Returns the caller's address; undefined if the call bypassed CloudFront, and so its firewall. Without a
 * configured secret, the functions are not behind CloudFront.
 */
function callerOf(headers: Headers, connected: string): string | undefined {
  if (process.env['ORIGIN_SECRET'] === undefined) return connected;
  const given = headers[ORIGIN_HEADER] ?? '';
  const secrets = [requireEnv('ORIGIN_SECRET'), requireEnv('ORIGIN_SECRET_BELIEVED')];
  const isTrusted = secrets.some((secret) => isSame(given, secret));
  return isTrusted ? (headers[VIEWER_HEADER] ?? connected) : undefined;
}

/**
 * Compresses a text response, if the caller accepts that. CloudFront compresses only cached responses, and
 * caches none of these; the APIs can't compress. Files are not compressed, and static pages are stored
 * compressed.
 */
function compress(answer: LambdaResponse, accepted: string | undefined): LambdaResponse {
  const { body, headers, isBase64Encoded } = answer;
  if (isBase64Encoded || headers['content-encoding'] !== undefined) return answer;
  if (Buffer.byteLength(body) < WORTH_BYTES) return answer;
  const allHeaders = { ...headers, vary: [headers['vary'] ?? [], 'accept-encoding'].flat().join(', ') };
  if (!takesGzip(accepted)) return { ...answer, headers: allHeaders };
  const packed = gzipSync(body, { level: LEVEL });
  return {
    ...answer,
    headers: { ...allHeaders, 'content-encoding': 'gzip' },
    body: packed.toString('base64'),
    isBase64Encoded: true,
  };
}

/** A deployed function of the gateway. */
export type Handler = (event: APIGatewayProxyEventV2, context: Context) => Promise<LambdaResponse>;

/**
 * Returns the function of a path's PUT, PATCH or DELETE, which also serves its POST. There `_method` in the
 * query selects the method, as forms can't send these themselves. Part 1, "Shared conventions", 7. 405 for a
 * method that the path doesn't have.
 */
export function withMethodOverride(endpoints: Readonly<Record<string, Endpoint>>): Handler {
  return async (event, context) => {
    const { http } = event.requestContext;
    const method = http.method === 'POST' ? overrideIn(event) : http.method;
    const selected = method === 'GET' ? undefined : endpoints[method];
    if (!selected) return eventErrorResponse(event, methodNotAllowed());
    return selected(
      { ...event, requestContext: { ...event.requestContext, http: { ...http, method } } },
      context,
    );
  };
}

function overrideIn(event: APIGatewayProxyEventV2): string {
  return new URLSearchParams(event.rawQueryString).get('_method')?.toUpperCase() ?? '';
}

/** Adds the path's methods to each 405 of a function. RFC 9110, 15.5.6. */
export function withAllowHeader(methods: readonly string[], handler: Handler): Handler {
  return async (event, context) => {
    const answer = await handler(event, context);
    if (answer.statusCode === 405) answer.headers['allow'] = methods.join(', ');
    return answer;
  };
}

/** URLs that people type for the page of the reference. Contract 9.132. */
const REFERENCE_ALIASES = new Set(['/', '/docs/']);

/**
 * Returns the function of all unmatched URLs, given the methods of each path. 405 if the path exists, else
 * 404; aliases of the reference redirect to it. Never rejects a CORS preflight, should a gateway pass one on:
 * the gateway adds the headers.
 */
export function catchAll(served: Readonly<Record<string, readonly string[]>>): Handler {
  const patterns = Object.entries(served).map(([path, methods]) => ({
    pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}/?$`),
    methods,
  }));
  return async (event, context) => {
    const { method } = event.requestContext.http;
    if (method === 'OPTIONS') return { statusCode: 204, headers: {}, body: '' };
    const isPage = method === 'GET' && REFERENCE_ALIASES.has(event.rawPath);
    if (isPage) return pageAnswer(event);
    // A URL may match a path with a fixed word and one with a variable: their methods may differ.
    const matching = patterns.filter(({ pattern }) => pattern.test(event.rawPath));
    if (matching.length === 0) return eventErrorResponse(event, notFound());
    const methods = new Set(matching.flatMap((each) => each.methods));
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

/** Returns the error response to an event that reaches no operation. */
export function eventErrorResponse(event: APIGatewayProxyEventV2, refusal: ApiError): LambdaResponse {
  const answer = errorResponse(refusal, localeOf(event.headers['accept-language']));
  answer.headers['x-request-id'] = event.requestContext.requestId;
  return answer;
}
