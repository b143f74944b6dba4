import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { inBackground } from '#lib/values/concurrency.ts';
import type { ValidatedDestination } from './destination.ts';

/** How long a receiver may take, its name's look-up included. */
export const PATIENCE_MS = 10_000;

const MAX_READ = 4096;
const MAX_KEPT = 1000;

/** What came back: null for what didn't. */
export interface ReceiverResponse {
  readonly status_code: number | null;
  /** The first of the body, or the word for what kept the receiver from answering. */
  readonly answer: string | null;
  /** Seconds, or a date, as the receiver gave them. */
  readonly retryAfter: string | undefined;
}

/**
 * Posts a text to a judged place, and hears what comes back. The connection goes to the judged
 * addresses, under the name of the url: for the certificate and the receiver nothing else is asked. Redirects
 * are answers like any other, and no more than 4 KB are read.
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
    // One connection a try: a kept one would go to an address that was judged at another time.
    agent: false,
    signal,
  };
  const { promise, resolve } = Promise.withResolvers<ReceiverResponse>();
  const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, options);
  request.on('error', (error: NodeJS.ErrnoException) => resolve(noResponse(error.code ?? error.name)));
  request.on('response', (response) => resolve(inBackground(heard(response))));
  request.end(body);
  return promise;
}

/** Makes what is told of a try that nobody answered. */
export function noResponse(word: string): ReceiverResponse {
  return { status_code: null, answer: word, retryAfter: undefined };
}

/** Answers each look-up by these addresses. */
function only(addresses: readonly string[]): LookupFunction {
  const known = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_, __, callback) => callback(null, known);
}

async function heard(response: IncomingMessage): Promise<ReceiverResponse> {
  const pieces: Buffer[] = [];
  let size = 0;
  try {
    for await (const piece of response) {
      pieces.push(Buffer.from(piece));
      size += pieces.at(-1)?.length ?? 0;
      if (size >= MAX_READ) break;
    }
  } catch {
    // What has come until then counts: the status is told.
  }
  const text = Buffer.concat(pieces).subarray(0, MAX_READ).toString('utf8');
  return {
    status_code: response.statusCode ?? null,
    answer: [...text].slice(0, MAX_KEPT).join(''),
    retryAfter: response.headers['retry-after'],
  };
}
