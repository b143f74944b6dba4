import { gunzipSync, gzipSync } from 'node:zlib';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { notFound } from '#lib/values/api-error.ts';
import { requireEnv } from '#lib/values/env.ts';
import { eventErrorResponse } from './edge.ts';
import { takesGzip } from './wire/accept.ts';
import type { LambdaResponse } from './wire/response.ts';

/** An immutable file of the deployment. */
interface SiteFile {
  /** Its name for `read`; gzipped. */
  readonly name: string;
  readonly type: string;
  /** Its hash, which changes with its content. */
  readonly tag: string;
  /** True if it contains the service's own address, which is known only at run time. */
  readonly isAddressed?: true;
}

/** Placeholder of the address in such a file. */
export const ADDRESS_PLACE = 'https://address.invalid';

/** The files by the paths they are served at. */
export type StaticFiles = Readonly<Record<string, SiteFile>>;

/** Content security policy of a page: no requests to other origins. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * Returns the function of static files. Browsers cache a URL with `?v=<tag>` forever, and revalidate any
 * other.
 */
export function staticSite(files: StaticFiles, read: (name: string) => Promise<Uint8Array>) {
  const addressed = new Map<string, Uint8Array>();
  const readAddressed = async ({ name }: SiteFile, address: string) => {
    const cached = addressed.get(`${address} ${name}`);
    if (cached) return cached;
    const text = gunzipSync(await read(name)).toString();
    const packed = gzipSync(text.replaceAll(ADDRESS_PLACE, address));
    addressed.set(`${address} ${name}`, packed);
    return packed;
  };
  return async (event: APIGatewayProxyEventV2, _context: Context): Promise<LambdaResponse> => {
    const file = files[event.rawPath];
    if (!file) return eventErrorResponse(event, notFound());
    const address = file.isAddressed ? requireEnv('ADDRESS') : '';
    const etag = `"${file.tag}${Buffer.from(address).toString('base64url')}"`;
    const isVersioned = event.rawQueryString === `v=${file.tag}`;
    const headers = {
      etag,
      'cache-control': isVersioned ? 'public, max-age=31536000, immutable' : 'no-cache',
      'content-security-policy': POLICY,
      'x-content-type-options': 'nosniff',
      'x-request-id': event.requestContext.requestId,
      vary: 'accept-encoding',
    };
    if (event.headers['if-none-match'] === etag) return { statusCode: 304, headers, body: '' };
    const packed = address === '' ? await read(file.name) : await readAddressed(file, address);
    const takesPacked = takesGzip(event.headers['accept-encoding']);
    return {
      statusCode: 200,
      headers: { ...headers, 'content-type': file.type, ...(takesPacked && { 'content-encoding': 'gzip' }) },
      body: Buffer.from(takesPacked ? packed : gunzipSync(packed)).toString('base64'),
      isBase64Encoded: true,
    };
  };
}
