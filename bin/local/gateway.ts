import type { IncomingMessage } from 'node:http';
import { CORS } from '#infra/cors.ts';
import type { LambdaResponse } from '#lib/http/wire/response.ts';

/* Behaviour of CloudFront and API Gateway before and after a function. Their errors have fixed bodies. */

/** API Gateway's limit of a request's line and headers, together. */
const MAX_HEAD_BYTES = 10_240;

/**
 * Bytes that CloudFront adds to a request's headers, roughly: its secret, the caller's address twice, `Via`
 * and an id of its own.
 */
const EDGE_HEAD_BYTES = 400;

/** API Gateway's limit of a body. */
const MAX_BODY_BYTES = 10 * 1024 * 1024;

/** Lambda's limit of 6 MB per request and response, including the event around a body. */
const MAX_PAYLOAD_BYTES = 6 * 1024 * 1024;

/** Rejects a request by its line and headers; undefined if it is accepted. */
export function rejectEarly(request: IncomingMessage): LambdaResponse | undefined {
  if (headBytes(request) + EDGE_HEAD_BYTES > MAX_HEAD_BYTES)
    return gatewayAnswer(431, 'Request Header Fields Too Large');
  const { method = 'GET', headers } = request;
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  // CloudFront accepts no body with these.
  return /^(GET|HEAD)$/.test(method) && hasBody ? gatewayAnswer(403, 'Forbidden') : undefined;
}

/** Reads a body; undefined if it exceeds API Gateway's limit. It is read to its end in any case. */
export async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  return size <= MAX_BODY_BYTES ? Buffer.concat(chunks) : undefined;
}

/** Returns whether an event or a response exceeds Lambda's limit. */
export function isTooLarge(payload: object): boolean {
  return Buffer.byteLength(JSON.stringify(payload)) > MAX_PAYLOAD_BYTES;
}

/** Builds a response in API Gateway's format. */
export function gatewayAnswer(statusCode: number, message: string): LambdaResponse {
  return {
    statusCode,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ message }),
  };
}

/**
 * Responds to a request without a route: a browser's preflight gets the CORS rules, and CloudFront rejects
 * other methods that no route has.
 */
export function routelessAnswer(request: IncomingMessage): LambdaResponse {
  return request.method === 'OPTIONS' ? preflightAnswer(request) : gatewayAnswer(403, 'Forbidden');
}

/** Responds to a preflight request. Without an origin the response has no rules. */
function preflightAnswer({ headers }: IncomingMessage): LambdaResponse {
  const isAsked = headers.origin !== undefined && headers['access-control-request-method'] !== undefined;
  return { statusCode: 204, headers: isAsked ? PREFLIGHT : {}, body: '' };
}

/** Returns the headers that API Gateway adds to every cross-origin response. */
export function corsHeaders({ headers }: IncomingMessage): Readonly<Record<string, string>> {
  return headers.origin === undefined ? {} : ANY_ORIGIN;
}

const ANY_ORIGIN = {
  'access-control-allow-origin': CORS.allowOrigins.join(','),
  'access-control-expose-headers': CORS.exposeHeaders.join(','),
};

const PREFLIGHT = {
  'access-control-allow-origin': CORS.allowOrigins.join(','),
  'access-control-allow-methods': CORS.allowMethods.join(','),
  'access-control-allow-headers': CORS.allowHeaders.join(','),
  'access-control-max-age': String(CORS.maxAgeSeconds),
};

function headBytes({ method = '', url = '', rawHeaders }: IncomingMessage): number {
  const line = `${method} ${url} HTTP/1.1`;
  return Buffer.byteLength(line) + rawHeaders.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}
