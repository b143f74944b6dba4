import { gunzipSync, gzipSync } from 'node:zlib';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { notFound } from '#lib/values/api-error.ts';
import { requireEnv } from '#lib/values/env.ts';
import { eventErrorResponse } from './edge.ts';
import { takesGzip } from './wire/accept.ts';
import type { LambdaResponse } from './wire/response.ts';

/** A file that never changes while the service runs. */
interface SiteFile {
  /** Its name for `read`, gzipped. */
  readonly name: string;
  readonly type: string;
  /** Its hash, which changes with its content. */
  readonly tag: string;
  /** True if it names the service's own address, which only a function knows. */
  readonly isAddressed?: true;
}

/** Stands in such a file for the address. */
export const ADDRESS_PLACE = 'https://address.invalid';

/** The files by the paths they are served at. */
export type StaticFiles = Readonly<Record<string, SiteFile>>;

/** The limits of a page: it loads nothing from elsewhere, and sends nothing there. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * Makes the function of fixed files. Browsers keep an address with `?v=<tag>` for ever, and ask for any other
 * anew.
 */
export function staticSite(files: StaticFiles, read: (name: string) => Promise<Uint8Array>) {
  const addressed = new Map<string, Uint8Array>();
  const readAddressed = async ({ name }: SiteFile, address: string) => {
    const known = addressed.get(`${address} ${name}`);
    if (known) return known;
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
