import type { IncomingMessage } from 'node:http';
import { CORS } from '#infra/cors.ts';
import type { LambdaResponse } from '#lib/http/wire/response.ts';

/*
 * What CloudFront and API Gateway do by themselves, before and after a function. Their refusals are in their
 * own words, which nobody can change.
 */

/** API Gateway's limit of a request's line and headers, together. */
const MAX_HEAD_BYTES = 10_240;

/**
 * What CloudFront adds to a request's headers, in some: its secret, the caller's address twice, `Via` and an
 * id of its own.
 */
const EDGE_HEAD_BYTES = 400;

/** API Gateway's limit of a body. */
const MAX_BODY_BYTES = 10 * 1024 * 1024;

/** Lambda takes and gives 6 MB a call, the event around a body included. */
const MAX_PAYLOAD_BYTES = 6 * 1024 * 1024;

/** Refuses a request by what stands before its body; undefined if it may come in. */
export function rejectEarly(request: IncomingMessage): LambdaResponse | undefined {
  if (headBytes(request) + EDGE_HEAD_BYTES > MAX_HEAD_BYTES)
    return gatewayAnswer(431, 'Request Header Fields Too Large');
  const { method = 'GET', headers } = request;
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  // CloudFront takes no body with these.
  return /^(GET|HEAD)$/.test(method) && hasBody ? gatewayAnswer(403, 'Forbidden') : undefined;
}

/** Reads a body; undefined if it is larger than API Gateway takes. It is read to its end in any case. */
export async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  return size <= MAX_BODY_BYTES ? Buffer.concat(chunks) : undefined;
}

/** Tells whether an event or an answer is more than Lambda lets through. */
export function isTooLarge(payload: object): boolean {
  return Buffer.byteLength(JSON.stringify(payload)) > MAX_PAYLOAD_BYTES;
}

/** Makes an answer in API Gateway's own words. */
export function gatewayAnswer(statusCode: number, message: string): LambdaResponse {
  return {
    statusCode,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ message }),
  };
}

/**
 * Answers a request that no route takes: a browser that asks whether it may call gets the rules, and
 * CloudFront lets no other method in that has no route.
 */
export function routelessAnswer(request: IncomingMessage): LambdaResponse {
  return request.method === 'OPTIONS' ? preflightAnswer(request) : gatewayAnswer(403, 'Forbidden');
}

/** Answers a browser that asks whether it may call. Without an origin there is nothing to say. */
function preflightAnswer({ headers }: IncomingMessage): LambdaResponse {
  const isAsked = headers.origin !== undefined && headers['access-control-request-method'] !== undefined;
  return { statusCode: 204, headers: isAsked ? PREFLIGHT : {}, body: '' };
}

/** Gives the headers that API Gateway adds to every answer to a browser of another origin. */
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
