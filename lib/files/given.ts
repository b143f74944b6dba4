import { randomUUID } from 'node:crypto';
import { presignLink } from './presigned.ts';
import { storePrivately } from './storage.ts';

/**
 * A function gives no more itself: Lambda lets 6 MB through, of which base64 leaves three quarters.
 */
export const MOST_GIVEN_BYTES = 4 * 1024 * 1024;

/** How long a link to a file is good. */
export const LINK_SECONDS = 300;

/** A file as an answer gives it. */
export interface GivenFile {
  readonly filename: string;
  readonly type: string;
  readonly content: Uint8Array<ArrayBuffer>;
}

/**
 * Gives a file that was made for the caller, or a link to it if it is too large for an answer. Then it is in
 * the bucket under a key that nobody can guess, and goes after a week.
 */
export async function giveFile(file: GivenFile): Promise<GivenFile | { readonly location: string }> {
  const { filename, type, content } = file;
  if (content.length <= MOST_GIVEN_BYTES) return file;
  const key = `exports/${randomUUID()}`;
  await storePrivately({ key, type, content });
  return { location: await presignLink(key, filename, LINK_SECONDS) };
}
