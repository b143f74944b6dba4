import { createHash } from 'node:crypto';
import type { LambdaResponse } from './response.ts';

/**
 * Returns the response that a caller may keep, with the tag of its content: 304 if the caller has it. Part 5,
 * 5B.3.
 */
export function revalidate(answered: LambdaResponse, kept: string | undefined): LambdaResponse {
  const etag = `"${createHash('sha256').update(answered.body).digest('base64url').slice(0, 22)}"`;
  const headers = { etag, 'cache-control': 'private, no-cache', vary: 'accept-language, authorization' };
  const isKept = tagsIn(kept).includes(etag);
  return isKept
    ? { statusCode: 304, headers, body: '' }
    : { ...answered, headers: { ...answered.headers, ...headers } };
}

/** Returns the tags in `If-None-Match`; a proxy that compresses may have marked one as weak. */
function tagsIn(kept = ''): string[] {
  return kept.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
}
