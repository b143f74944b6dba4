import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { inBackground } from '#lib/values/concurrency.ts';
import type { ValidatedDestination } from './destination.ts';

/** Timeout of a receiver, DNS included. */
export const PATIENCE_MS = 10_000;

const MAX_READ = 4096;
const MAX_KEPT = 1000;

/** Response of a receiver; fields are null if there was none. */
export interface ReceiverResponse {
  readonly status_code: number | null;
  /** Beginning of the body, or the code of the error that prevented a response. */
  readonly answer: string | null;
  /** Seconds or a date, as received. */
  readonly retryAfter: string | undefined;
}

/**
 * Posts a body to a validated destination and returns the response. Connects to the validated addresses under
 * the url's name, which the certificate and the `Host` header use. Redirects are not followed; at most 4 KB
 * are read.
 */
export function postToReceiver(
  { url, addresses }: ValidatedDestination,
  headers: Readonly<Record<string, string>>,
  body: string,
  signal: AbortSignal,
): Promise<ReceiverResponse> {
  const options = {
    method: 'POST',
    headers: { ...headers, 'content-length': Buffer.byteLength(body), 'accept-encoding': 'identity' },
    lookup: only(addresses),
    // One connection per attempt: a reused one would go to an address validated at another time.
    agent: false,
    signal,
  };
  const { promise, resolve } = Promise.withResolvers<ReceiverResponse>();
  const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, options);
  request.on('error', (error: NodeJS.ErrnoException) => resolve(noResponse(error.code ?? error.name)));
  request.on('response', (response) => resolve(inBackground(readResponse(response))));
  request.end(body);
  return promise;
}

/** Builds the result of an attempt without a response. */
export function noResponse(word: string): ReceiverResponse {
  return { status_code: null, answer: word, retryAfter: undefined };
}

/** Resolves every look-up to these addresses. */
function only(addresses: readonly string[]): LookupFunction {
  const known = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_, __, callback) => callback(null, known);
}

async function readResponse(response: IncomingMessage): Promise<ReceiverResponse> {
  const pieces: Buffer[] = [];
  let size = 0;
  try {
    for await (const piece of response) {
      pieces.push(Buffer.from(piece));
      size += pieces.at(-1)?.length ?? 0;
      if (size >= MAX_READ) break;
    }
  } catch {
    // A truncated body still counts: the status was received.
  }
  const text = Buffer.concat(pieces).subarray(0, MAX_READ).toString('utf8');
  return {
    status_code: response.statusCode ?? null,
    answer: [...text].slice(0, MAX_KEPT).join(''),
    retryAfter: response.headers['retry-after'],
  };
}
